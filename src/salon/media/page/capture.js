// Evaluated in an isolated world, whose prototypes no sketch can touch: reads the marked canvas onto the paper colour.
(async (mark, paper) => {
  const canvas = document.querySelector(`canvas[${mark}]`);
  if (!canvas || !canvas.width || !canvas.height) return null;
  const picture = new OffscreenCanvas(canvas.width, canvas.height);
  const context = picture.getContext("2d", { alpha: false });
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(canvas, 0, 0);
  const bytes = new Uint8Array(await (await picture.convertToBlob({ type: "image/png" })).arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
})

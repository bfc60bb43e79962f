// Evaluated in an isolated world, whose prototypes no sketch can touch: reads the marked canvas onto the paper colour.
// Nothing here waits: toBlob would be put off until the page is idle.
((mark, paper) => {
  const canvas = document.querySelector(`canvas[${mark}]`);
  if (!canvas || !canvas.width || !canvas.height) return null;
  const picture = document.createElement("canvas");
  picture.width = canvas.width;
  picture.height = canvas.height;
  const context = picture.getContext("2d", { alpha: false, willReadFrequently: true });
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(canvas, 0, 0);
  return picture.toDataURL("image/png").slice("data:image/png;base64,".length);
})

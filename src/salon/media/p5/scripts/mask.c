// The mask that p5.brush fills its watercolours into, compiled to WebAssembly by scripts/build-mask.sh. mask.js is its
// other half. One instance is one mask.
//
// It is what a canvas on a GPU with four samples to the pixel makes of the same paths, sample by sample: vertices on a
// grid of 1/16 pixel, the nonzero winding rule at the samples' standard places, and source-over or destination-out of one
// colour, rounded to 8 bits after every path. The layers are so faint that without this rounding a fill comes out up to
// twenty levels lighter.

#define SAMPLES 4 // A row of pixels has so many lines of samples, one for each pixel.
#define GRID 16.0f
#define MITER_LIMIT_SQUARED 100.0f
#define PAGE 65536
#define EXPORT(name) __attribute__((export_name(#name)))

typedef struct { float x, y; } Point;
typedef struct { float a, b, c, d, e, f; } Matrix;
// Where an edge crosses a line: the first pixel whose sample lies right of it, and in the lowest bit whether downwards,
// so that one number sorts.
typedef struct { int key, next; } Crossing;

// Where in a pixel its samples lie, from above: the line is at (k + 1/2) / 4, and on it the sample here.
static const float PLACES[SAMPLES] = {0.375f, 0.875f, 0.125f, 0.625f};

extern unsigned char __heap_base;
static unsigned char *heap_end;

static int width, height;
static unsigned char *alpha; // per sample: line by line, each as long as a row of pixels
static int *heads;           // per line, the first of its crossings; -1 where it has none
static unsigned char *bytes; // RGBA of an upload
static float *slopes;        // an upload's steepness, per block of 2 × 2 pixels

static Point *path, *outline;   // as given, and in pixels
static int *path_ends, *outline_ends;
static Crossing *crossings;
static int *sorted;
static int path_room, outline_room, ends_room, crossings_room, sorted_room;
static int path_size, outline_size, path_count, outline_count, crossings_size;

static void *take(int size) {
  unsigned char *block = heap_end ? heap_end : &__heap_base;
  heap_end = block + ((size + 15) & ~15);
  int missing = (int)heap_end - (int)__builtin_wasm_memory_size(0) * PAGE;
  if (missing > 0 && __builtin_wasm_memory_grow(0, (missing + PAGE - 1) / PAGE) == (unsigned long)-1) __builtin_trap();
  return block;
}

// Room for one more: twice as much, elsewhere. What was left behind is at most as much again. Beyond a gigabyte the
// sketch throws.
static void *room(void *old, int *count, int size) {
  if (*count > (1 << 29) / size) __builtin_trap();
  void *larger = take(*count * 2 * size);
  __builtin_memcpy(larger, old, *count * size);
  *count *= 2;
  return larger;
}

EXPORT(open) void open_mask(int w, int h) {
  width = w;
  height = h;
  alpha = take(w * h * SAMPLES);
  heads = take(h * SAMPLES * 4);
  bytes = take(w * h * 4);
  slopes = take((w / 2 + 4) * (h / 2 + 4) * 4);
  path_room = outline_room = crossings_room = 4096;
  ends_room = 64;
  sorted_room = 256;
  path = take(path_room * sizeof(Point));
  outline = take(outline_room * sizeof(Point));
  path_ends = take(ends_room * 4);
  outline_ends = take(ends_room * 2 * 4);
  crossings = take(crossings_room * sizeof(Crossing));
  sorted = take(sorted_room * 4);
}

EXPORT(clear) void clear(void) { __builtin_memset(alpha, 0, width * height * SAMPLES); }

// --- paths -----------------------------------------------------------------------------------------------------------

EXPORT(begin) void begin(void) { path_size = path_count = 0; }

EXPORT(point) void point(float x, float y) {
  if (path_size == path_room) path = room(path, &path_room, sizeof(Point));
  path[path_size++] = (Point){x, y};
}

EXPORT(close) void close_path(void) {
  if (path_size == (path_count ? path_ends[path_count - 1] : 0)) return;
  if (path_count == ends_room) {
    int both = ends_room * 2;
    outline_ends = room(outline_ends, &both, 4);
    path_ends = room(path_ends, &ends_room, 4);
  }
  path_ends[path_count++] = path_size;
}

static float on_grid(float value) { return __builtin_nearbyintf(value * GRID) / GRID; }

static void outline_point(Matrix m, float x, float y) {
  if (outline_size == outline_room) outline = room(outline, &outline_room, sizeof(Point));
  outline[outline_size++] = (Point){on_grid(m.a * x + m.c * y + m.e), on_grid(m.b * x + m.d * y + m.f)};
}

static void outline_end(void) { outline_ends[outline_count++] = outline_size; }

// --- colour -----------------------------------------------------------------------------------------------------------

// What a path does to a sample: alpha becomes (alpha * keep + add) / 65536, and `add` rounds.
typedef struct { unsigned keep, add; } Paint;

static Paint paint_of(float opacity, int erases) {
  return (Paint){(unsigned)((1 - opacity) * 65536 + 0.5f), (unsigned)((erases ? 0 : opacity) * 255 * 65536) + 32768};
}

static void paint_span(int line, int from, int to, Paint paint) {
  unsigned char *at = alpha + line * width;
  for (int x = from; x < to; x++) at[x] = (unsigned char)((at[x] * paint.keep + paint.add) >> 16);
}

// The first pixel whose sample on this line is at x or right of it.
static int pixel_at(float x, int line) {
  float from = x - PLACES[line % SAMPLES];
  return from > 0 ? (from < (float)width ? (int)__builtin_ceilf(from) : width) : 0;
}

// --- outlines --------------------------------------------------------------------------------------------------------

static void cross(Point p, Point q, int top, int lines) {
  float y = (p.y - (float)top) * SAMPLES - 0.5f, to = (q.y - (float)top) * SAMPLES - 0.5f;
  int down = y < to;
  float low = down ? y : to, high = down ? to : y;
  if (!(high > 0) || !(low < (float)lines)) return;
  int first = low <= 0 ? 0 : (int)__builtin_ceilf(low);
  int last = high >= (float)lines ? lines : (int)__builtin_ceilf(high);
  if (first >= last) return;
  float slope = (q.x - p.x) / (to - y);
  for (int line = first; line < last; line++) {
    if (crossings_size == crossings_room) crossings = room(crossings, &crossings_room, sizeof(Crossing));
    crossings[crossings_size] = (Crossing){pixel_at(p.x + ((float)line - y) * slope, line) * 2 + down, heads[line]};
    heads[line] = crossings_size++;
  }
}

// In rising order. A line has some ten crossings; thousands, which a zigzag brings in falling order, are first brought
// near their places.
static void sort(int *keys, int count) {
  static const int gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
  for (int k = count > 128 ? 0 : 7; k < 8; k++) {
    int gap = gaps[k];
    for (int i = gap; i < count; i++) {
      int key = keys[i], place = i;
      for (; place >= gap && keys[place - gap] > key; place -= gap) keys[place] = keys[place - gap];
      keys[place] = key;
    }
  }
}

// Paints a line from where the winding leaves 0 to where it comes back. `line` counts from the outline's top.
static void sweep(int line, int top, Paint paint) {
  int count = 0;
  for (int i = heads[line]; i >= 0; i = crossings[i].next) {
    if (count == sorted_room) sorted = room(sorted, &sorted_room, 4);
    sorted[count++] = crossings[i].key;
  }
  sort(sorted, count);
  for (int i = 0, winding = 0, from = 0; i < count; i++) {
    if (!winding) from = sorted[i] >> 1;
    winding += sorted[i] & 1 ? 1 : -1;
    if (!winding) paint_span(top * SAMPLES + line, from, sorted[i] >> 1, paint);
  }
}

static int clamped(float value, int limit) { return value > 0 ? (value < (float)limit ? (int)value : limit) : 0; }

static void cover(Paint paint) {
  float low = 1e30f, high = -1e30f, end = -1e30f;
  for (int i = 0; i < outline_size; i++) {
    Point p = outline[i];
    low = p.y < low ? p.y : low;
    high = p.y > high ? p.y : high;
    end = p.x > end ? p.x : end;
  }
  int top = clamped(low, height), bottom = clamped(high + 1, height), right = clamped(end + 1, width);
  if (top >= bottom || !right) return;
  int lines = (bottom - top) * SAMPLES, start = 0;
  for (int line = 0; line < lines; line++) heads[line] = -1;
  crossings_size = 0;
  for (int k = 0; k < outline_count; k++) {
    Point p = outline[outline_ends[k] - 1];
    for (int i = start; i < outline_ends[k]; i++) {
      cross(p, outline[i], top, lines);
      p = outline[i];
    }
    start = outline_ends[k];
  }
  for (int line = 0; line < lines; line++) sweep(line, top, paint);
}

EXPORT(fill) void fill(float a, float b, float c, float d, float e, float f, float opacity, int erases) {
  Matrix m = {a, b, c, d, e, f};
  close_path();
  outline_size = outline_count = 0;
  for (int i = 0, k = 0; k < path_count; k++) {
    for (; i < path_ends[k]; i++) outline_point(m, path[i].x, path[i].y);
    outline_end();
  }
  cover(paint_of(opacity, erases));
}

// --- strokes ---------------------------------------------------------------------------------------------------------

static Point normal(Point from, Point to, float half) {
  float x = to.x - from.x, y = to.y - from.y, scale = half / __builtin_sqrtf(x * x + y * y);
  return (Point){-y * scale, x * scale};
}

// One side of a closed line, as an outline: mitred corners outside, and inside through the corner itself, so that the
// winding within the line is never 0. The second side runs backwards, or it would fill.
static void side(Matrix m, Point *corners, int count, int backwards, float half) {
  float square = half * half;
  Point at = corners[backwards ? count - 1 : 0];
  Point n = normal(corners[backwards ? 0 : count - 1], at, half);
  for (int i = 0; i < count; i++) {
    int next = i + 1 < count ? i + 1 : 0;
    Point to = corners[backwards ? count - 1 - next : next], o = normal(at, to, half);
    float both = square + n.x * o.x + n.y * o.y;
    if (n.x * o.y - n.y * o.x > 0) {
      outline_point(m, at.x + n.x, at.y + n.y);
      outline_point(m, at.x, at.y);
      outline_point(m, at.x + o.x, at.y + o.y);
    } else if (2 * square <= MITER_LIMIT_SQUARED * both) {
      float scale = square / both;
      outline_point(m, at.x + (n.x + o.x) * scale, at.y + (n.y + o.y) * scale);
    } else {
      outline_point(m, at.x + n.x, at.y + n.y);
      outline_point(m, at.x + o.x, at.y + o.y);
    }
    at = to;
    n = o;
  }
  outline_end();
}

// Points that repeat the one before have no direction: they are taken out of the path, in place.
static int distinct(Point *corners, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (!kept || corners[i].x != corners[kept - 1].x || corners[i].y != corners[kept - 1].y) corners[kept++] = corners[i];
  while (kept > 1 && corners[0].x == corners[kept - 1].x && corners[0].y == corners[kept - 1].y) kept--;
  return kept;
}

EXPORT(stroke)
void stroke(float a, float b, float c, float d, float e, float f, float line_width, float opacity, int erases) {
  Matrix m = {a, b, c, d, e, f};
  close_path();
  outline_size = outline_count = 0;
  for (int start = 0, k = 0; k < path_count; k++) {
    int count = distinct(path + start, path_ends[k] - start);
    if (count > 1) {
      side(m, path + start, count, 0, line_width / 2);
      side(m, path + start, count, 1, line_width / 2);
    }
    start = path_ends[k];
  }
  path_size = path_count = 0;
  cover(paint_of(opacity, erases));
}

// A full circle of radius r about (x, y), which a matrix makes an ellipse.
EXPORT(circle)
void circle(float a, float b, float c, float d, float x, float y, float r, float opacity, int erases) {
  float square = b * b + d * d, tall = r * __builtin_sqrtf(square);
  float shear = (a * b + c * d) / square, wide = r * __builtin_fabsf(a * d - b * c) / __builtin_sqrtf(square);
  if (!(tall > 0 && tall < 1e9f && wide < 1e9f)) return; // No size, or none that can be computed with.
  Paint paint = paint_of(opacity, erases);
  int first = clamped(y - tall, height) * SAMPLES, last = clamped(y + tall + 1, height) * SAMPLES;
  for (int line = first; line < last; line++) {
    float dy = ((float)line + 0.5f) / SAMPLES - y, rest = 1 - (dy / tall) * (dy / tall);
    if (rest <= 0) continue;
    float half = wide * __builtin_sqrtf(rest), middle = x + shear * dy;
    paint_span(line, pixel_at(middle - half, line), pixel_at(middle + half, line), paint);
  }
}

// --- upload ----------------------------------------------------------------------------------------------------------

// How steep the mask is in a block of 2 × 2 pixels, 0 … 1: what the shader's derivatives were, at EDGES times its alpha.
// A GPU takes both differences of a block from the same pixel; upside down, it is the lower left one.
#define EDGES (15 / 255.0f)
static float steepness(unsigned char *at, int stride) {
  float x = (float)(at[stride + 4] - at[stride]) * EDGES, y = (float)(at[stride] - at[0]) * EDGES;
  float t = (__builtin_sqrtf(x * x + y * y) - 0.05f) / (0.35f - 0.05f);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return t * t * (3 - 2 * t);
}

// As a GPU takes the mean of a pixel's samples: of two at a time, rounded up.
static int mean(int a, int b) { return (a + b + 1) / 2; }

static int pixel_alpha(int x, int y) {
  unsigned char *at = alpha + y * SAMPLES * width + x;
  return mean(mean(at[0], at[width]), mean(at[2 * width], at[3 * width]));
}

// The rectangle as RGBA: alpha is the mask's, red the mean steepness of the 3 × 3 blocks around a pixel. Blocks begin at
// its left, and at its top or, with `half` = 1, one row above it. What lies outside counts as level.
EXPORT(upload) unsigned char *upload(int left, int top, int w, int h, int half) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) bytes[(y * w + x) * 4 + 3] = (unsigned char)pixel_alpha(left + x, top + y);
  int across = w / 2, down = (h + half) / 2, stride = across + 3;
  __builtin_memset(slopes, 0, stride * (down + 3) * 4);
  for (int y = half; y < down; y++)
    for (int x = 0; x < across; x++)
      slopes[(y + 1) * stride + x + 1] = steepness(bytes + ((2 * y - half) * w + 2 * x) * 4 + 3, w * 4);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0, *around = slopes + ((y + half) / 2) * stride + x / 2;
      for (int k = 0; k < 3; k++, around += stride) sum += around[0] + around[1] + around[2];
      bytes[(y * w + x) * 4] = (unsigned char)(sum * (255 / 9.0f) + 0.5f);
    }
  return bytes;
}

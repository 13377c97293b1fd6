/** A picture of a moving picture, and how long it is shown. */
export interface Frame {
  /** A WebP file of its own. */
  readonly picture: Buffer;
  readonly milliseconds: number;
}

/** @returns an animated WebP that repeats for ever; by the container of RFC 9649 */
export function animatedWebp(
  frames: readonly Frame[],
  { width, height }: { readonly width: number; readonly height: number },
): Buffer {
  const size = [uint24(width - 1), uint24(height - 1)];
  // Only the animation flag.
  const header = chunk('VP8X', Buffer.from([2, 0, 0, 0]), ...size);
  // Background, then the number of loops.
  const animation = chunk('ANIM', Buffer.alloc(6));
  const shown = frames.map(({ picture, milliseconds }) =>
    // Each frame covers the former one.
    chunk('ANMF', uint24(0), uint24(0), ...size, uint24(milliseconds), Buffer.from([2]), imageIn(picture)),
  );
  const content = Buffer.concat([Buffer.from('WEBP'), header, animation, ...shown]);
  return Buffer.concat([Buffer.from('RIFF'), uint32(content.length), content]);
}

/** @returns the chunks with the image itself, without the header of an extended file */
function imageIn(picture: Buffer): Buffer {
  const found: Buffer[] = [];
  for (let at = 12; at + 8 <= picture.length;) {
    const end = at + 8 + picture.readUInt32LE(at + 4);
    const padded = end + (end % 2);
    const kind = picture.toString('latin1', at, at + 4);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(kind)) found.push(picture.subarray(at, padded));
    at = padded;
  }
  if (found.length === 0) throw new Error('no WebP picture');
  return Buffer.concat(found);
}

function chunk(kind: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const padding = Buffer.alloc(content.length % 2);
  return Buffer.concat([Buffer.from(kind), uint32(content.length), content, padding]);
}

function uint24(value: number): Buffer {
  return Buffer.from([value & 255, (value >> 8) & 255, value >> 16]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

import { expect, test } from 'vitest';
import { animatedWebp } from '../../script/animated-webp.ts';

/** A file of one chunk with this image, as a browser writes it. */
function picture(kind: string, image: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(image.length);
  return Buffer.concat([Buffer.from('RIFF....WEBP'), Buffer.from(kind), size, Buffer.from(image)]);
}

test('frames stand one after the other, each with its time', () => {
  const frames = [
    { picture: picture('VP8 ', 'even'), milliseconds: 1_200 },
    { picture: picture('VP8L', 'odd'), milliseconds: 70_000 },
  ];
  const file = animatedWebp(frames, { width: 960, height: 600 });
  expect(file.toString('latin1', 0, 4)).toBe('RIFF');
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  const found: unknown[] = [];
  for (let at = 12; at < file.length;) {
    const length = file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, at + 8 + length);
    const kind = file.toString('latin1', at, at + 4);
    if (kind === 'VP8X') found.push([kind, content.readUIntLE(4, 3) + 1, content.readUIntLE(7, 3) + 1]);
    if (kind === 'ANMF')
      found.push([
        kind,
        content.readUIntLE(12, 3),
        content.toString('latin1', 16, 20),
        content.subarray(24).toString(),
      ]);
    at += 8 + length + (length % 2);
  }
  expect(found).toEqual([
    ['VP8X', 960, 600],
    ['ANMF', 1_200, 'VP8 ', 'even'],
    // A chunk has an even length.
    ['ANMF', 70_000, 'VP8L', 'odd'],
  ]);
});

test('what is no WebP picture is refused', () => {
  const png = { picture: Buffer.from('\x89PNG\r\n\x1a\n.................'), milliseconds: 1 };
  expect(() => animatedWebp([png], { width: 1, height: 1 })).toThrow('no WebP picture');
});

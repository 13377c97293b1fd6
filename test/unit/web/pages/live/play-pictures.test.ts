import { describe, expect, test } from 'vitest';
import { boundaryOf, partReader } from '../../../../../src/web/pages/live/play-pictures.ts';

test.each([
  ['multipart/x-mixed-replace;boundary=frame', 'frame'],
  ['multipart/x-mixed-replace; boundary="a b"', 'a b'],
  ['multipart/x-mixed-replace; charset=x; boundary=--frame', 'frame'],
  ['multipart/form-data; boundary=frame', undefined],
  ['image/jpeg', undefined],
  [null, undefined],
])('%j has the boundary %j', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const text = (part: Uint8Array) => Buffer.from(part).toString('latin1');
/** Reads a response that arrives in pieces of so many bytes. */
function partsOf(answer: string, size: number): string[] {
  const read = partReader('frame');
  const parts: string[] = [];
  for (let at = 0; at < answer.length; at += size)
    parts.push(...read(bytes(answer.slice(at, at + size))).map(text));
  return parts;
}

describe.each([1, 7, 1_000])('in pieces of %i bytes, a picture is complete', (size) => {
  test('where the next one begins', () => {
    const answer = ['one', 'two\r\n\r\nand more', 'three']
      .map((body) => `--frame\r\nContent-Type: image/jpeg\r\n\r\n${body}\r\n`)
      .join('');
    expect(partsOf(answer, size)).toEqual(['one\r\n', 'two\r\n\r\nand more\r\n']);
  });

  test('as soon as it has its length, with any content', () => {
    const body = 'a--frame\r\n\r\nb';
    const part = `--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(partsOf(`${part}\r\n${part}`, size)).toEqual([body, body]);
  });
});

test('rejects a part that never ends', () => {
  const read = partReader('frame');
  read(bytes('--frame\r\n\r\n'));
  expect(() => {
    for (let i = 0; i < 100; i += 1) read(new Uint8Array(100_000));
  }).toThrow(RangeError);
  expect(() => partReader('frame')(bytes('--frame\r\nContent-Length: 99999999\r\n\r\n'))).toThrow(RangeError);
});

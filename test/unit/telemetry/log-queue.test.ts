import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogQueue, mostBytesWaiting } from '../../../src/telemetry/log-queue.ts';

/** A file, pipe or socket: takes what there is room for, and fails as the system does. */
function sink() {
  let taken = '';
  let room = Infinity;
  let code = 'EAGAIN';
  const queue = createLogQueue({
    write: (bytes) => {
      if (room === 0) throw Object.assign(new Error(code), { code });
      const part = bytes.subarray(0, room);
      room -= part.length;
      taken += part.toString('latin1');
      return part.length;
    },
    notice: (dropped, why) => `[${dropped} ${why}]\n`,
  });
  return {
    queue,
    lines: () => taken.split('\n').slice(0, -1),
    text: () => taken,
    /** From now on there is room for so many bytes, and then this error. */
    limit: (bytes: number, error = 'EAGAIN') => {
      room = bytes;
      code = error;
    },
    free: () => {
      room = Infinity;
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const soon = () => vi.advanceTimersByTime(20);

test('writes each line at once', () => {
  const { queue, lines } = sink();
  queue.write('one\n');
  expect(lines()).toEqual(['one']);
  queue.write('two\n');
  expect(lines()).toEqual(['one', 'two']);
  expect([queue.dropped(), vi.getTimerCount()]).toEqual([0, 0]);
});

describe('a reader that is late', () => {
  test('gets every line in order that the queue held', () => {
    const { queue, lines, limit, free } = sink();
    limit(6);
    for (const line of ['one\n', 'two\n', 'three\n']) queue.write(line);
    free();
    queue.write('four\n');
    soon();
    expect(lines()).toEqual(['one', 'two', 'three', 'four']);
    expect([queue.dropped(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('does not cause an attempt for each line', () => {
    const write = vi.fn<() => number>(() => {
      throw Object.assign(new Error('late'), { code: 'EAGAIN' });
    });
    const queue = createLogQueue({ write, notice: () => '' });
    for (let i = 0; i < 100; i += 1) queue.write('line\n');
    expect(write).toHaveBeenCalledTimes(1);
    soon();
    expect(write).toHaveBeenCalledTimes(2);
  });

  test('costs a bounded number of bytes; a notice counts the dropped lines in their place', () => {
    const { queue, lines, limit, free } = sink();
    limit(0);
    const line = `${'x'.repeat(1_023)}\n`;
    const held = mostBytesWaiting / line.length;
    for (let i = 0; i < held + 5; i += 1) queue.write(line);
    expect(queue.dropped()).toBe(5);
    free();
    // What comes before the reader is noticed is missing too, even when it would fit: nothing overtakes.
    queue.write('y\n');
    soon();
    queue.write('next\n');
    const all = lines();
    expect(all.slice(0, -2)).toEqual(Array.from({ length: held }, () => line.trim()));
    expect(all.slice(-2)).toEqual(['[6 EAGAIN]', 'next']);
    expect(queue.dropped()).toBe(6);
  });

  test('gets the notice even without another line', () => {
    const { queue, lines, limit, free } = sink();
    limit(0);
    queue.write(`${'x'.repeat(mostBytesWaiting)}\n`);
    queue.write('lost\n');
    free();
    soon();
    expect(lines().slice(1)).toEqual(['[1 EAGAIN]']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('gets lines whole that the pipe took in pieces, also within characters', () => {
    const { queue, text, limit } = sink();
    limit(2);
    queue.write('äöü\n');
    for (let i = 0; i < 4; i += 1) {
      limit(2);
      soon();
    }
    expect(Buffer.from(text(), 'latin1').toString()).toBe('äöü\n');
  });
});

describe('an error of the system', () => {
  test.each(['ENOSPC', 'EPIPE', 'EIO'])('(%s) is dropped, counted, and told before the next line', (code) => {
    const { queue, lines, limit, free } = sink();
    queue.write('before\n');
    limit(0, code);
    for (const line of ['one\n', 'two\n']) queue.write(line);
    expect(queue.dropped()).toBe(2);
    free();
    queue.write('after\n');
    expect(lines()).toEqual(['before', `[2 ${code}]`, 'after']);
    expect(queue.dropped()).toBe(2);
  });

  test('finishes a partly written line before anything else', () => {
    const { queue, lines, limit, free } = sink();
    limit(6, 'ENOSPC');
    for (const line of ['0123456789\n', 'lost\n', 'lost\n']) queue.write(line);
    expect(queue.dropped()).toBe(2);
    limit(1, 'ENOSPC');
    queue.write('lost\n');
    free();
    queue.write('after\n');
    expect(lines()).toEqual(['0123456789', '[3 ENOSPC]', 'after']);
  });

  test('keeps the count when the notice fails too, in whole or in part', () => {
    const { queue, lines, limit, free } = sink();
    limit(0, 'ENOSPC');
    queue.write('one\n');
    queue.write('two\n');
    limit(3, 'ENOSPC');
    queue.write('three\n');
    queue.write('four\n');
    free();
    queue.write('after\n');
    expect(lines()).toEqual(['[2 ENOSPC]', '[2 ENOSPC]', 'after']);
    expect(queue.dropped()).toBe(4);
  });

  test('is reported a second after there is room, even without another line', () => {
    const { queue, lines, limit, free } = sink();
    limit(0, 'ENOSPC');
    queue.write('one\n');
    vi.advanceTimersByTime(5_000);
    free();
    vi.advanceTimersByTime(1_000);
    expect(lines()).toEqual(['[1 ENOSPC]']);
    expect([queue.dropped(), vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('drops the waiting lines when the reader is gone', () => {
    const { queue, lines, limit, free } = sink();
    limit(5);
    for (const line of ['one\n', 'two\n', 'three\n']) queue.write(line);
    limit(0, 'EPIPE');
    soon();
    expect(queue.dropped()).toBe(1);
    free();
    queue.write('after\n');
    expect(lines()).toEqual(['one', 'two', '[1 EPIPE]', 'after']);
  });
});

test('calls back once after the notice when the log recovers', () => {
  const { queue, lines, limit, free } = sink();
  queue.onceRecovered(() => queue.write('said again\n'));
  queue.write('one\n');
  for (let i = 0; i < 2; i += 1) {
    limit(0, 'ENOSPC');
    queue.write('lost\n');
    free();
    queue.write('after\n');
  }
  expect(lines()).toEqual(['one', '[1 ENOSPC]', 'said again', 'after', '[1 ENOSPC]', 'after']);
});

describe('a flush', () => {
  beforeEach(() => void vi.useRealTimers());

  test('writes the waiting lines as soon as the reader reads', () => {
    const taken: string[] = [];
    let refusals = 3;
    const queue = createLogQueue({
      write: (bytes) => {
        refusals -= 1;
        if (refusals >= 0) throw Object.assign(new Error('late'), { code: 'EAGAIN' });
        return taken.push(bytes.toString()) && bytes.length;
      },
      notice: () => '',
    });
    queue.write('stopping\n');
    queue.flush(60_000);
    expect(taken).toEqual(['stopping\n']);
  });

  test('gives up when its time is up, and at once when there is nothing to wait for', () => {
    const { queue, limit } = sink();
    limit(0);
    queue.write('stopping\n');
    queue.flush(50);
    limit(0, 'EPIPE');
    queue.flush(60_000);
    expect(queue.dropped()).toBe(1);
  });
});

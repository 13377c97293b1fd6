/** Where log lines go. Loggers never wait for it, and never see its failures. */
export interface LogQueue {
  /** @param line with its line feed */
  write(line: string): void;
  /** Lines that were dropped since the start. */
  dropped(): number;
  /** Calls back once, when lines are written again after some were dropped. */
  onceRecovered(callback: () => void): void;
  /** Writes the waiting lines. @param timeoutMs for a reader that does not read */
  flush(timeoutMs: number): void;
}

export interface LogQueueOptions {
  /** Never waits. @returns the number of bytes written. @throws the system's error; EAGAIN: the reader is late */
  readonly write: (bytes: Buffer) => number;
  /** @returns a log line with the number of dropped lines and the system's error code */
  readonly notice: (dropped: number, code: string) => string;
}

/** About a thousand lines, in addition to the pipe's own buffer. */
export const mostBytesWaiting = 256 * 1024;

// Milliseconds.
const retryWhenLate = 20;
const retryWhenFailed = 1_000;

interface Waiting {
  bytes: Buffer;
  /** The number of dropped lines that this notice reports. */
  readonly tellsOf?: number;
}

/**
 * Writes each line at once. If the reader is late, lines wait in a bounded queue. Lines are dropped when the queue is full or
 * the system refuses them; the next line written is then a notice. A partly written line is finished before any other.
 */
export function createLogQueue({ write, notice }: LogQueueOptions): LogQueue {
  const waiting: Waiting[] = [];
  let bytesWaiting = 0;
  let isFirstTorn = false;
  let isReaderLate = false;
  let lastCode = '';
  let dropped = 0;
  let untold = 0;
  let retrying: NodeJS.Timeout | undefined;
  const onRecovery: Array<() => void> = [];

  const add = (item: Waiting) => {
    waiting.push(item);
    bytesWaiting += item.bytes.length;
  };
  const addNotice = () => {
    add({ bytes: Buffer.from(notice(untold, lastCode)), tellsOf: untold });
    untold = 0;
  };
  const dropLine = () => {
    dropped += 1;
    untold += 1;
  };
  const dropWaiting = () => {
    for (const { bytes, tellsOf } of waiting.splice(isFirstTorn ? 1 : 0)) {
      bytesWaiting -= bytes.length;
      if (tellsOf === undefined) dropLine();
      else untold += tellsOf;
    }
  };

  /** @returns whether a notice was written */
  const writeWaiting = (): boolean => {
    let hasTold = false;
    try {
      for (;;) {
        if (waiting.length === 0 && untold > 0) addNotice();
        const [first] = waiting;
        if (first === undefined) break;
        const written = write(first.bytes);
        bytesWaiting -= written;
        isFirstTorn = written < first.bytes.length;
        if (isFirstTorn) first.bytes = first.bytes.subarray(written);
        else hasTold = waiting.shift()?.tellsOf !== undefined || hasTold;
      }
    } catch (error) {
      lastCode = (error as NodeJS.ErrnoException).code ?? 'unknown';
      isReaderLate = lastCode === 'EAGAIN';
      if (!isReaderLate) dropWaiting();
    }
    return hasTold;
  };
  const send = () => {
    isReaderLate = false;
    const hasTold = writeWaiting();
    if (waiting.length > 0 || untold > 0)
      retrying ??= setTimeout(retry, isReaderLate ? retryWhenLate : retryWhenFailed).unref();
    if (hasTold) for (const callback of onRecovery.splice(0)) callback();
  };
  const retry = () => {
    clearTimeout(retrying);
    retrying = undefined;
    send();
  };

  return {
    write: (line) => {
      if ((waiting.length > 0 || untold > 0) && !isReaderLate) send();
      const bytes = Buffer.from(line);
      const isFull = waiting.length > 0 && bytesWaiting + bytes.length > mostBytesWaiting;
      if (isFull || untold > 0) return dropLine();
      add({ bytes });
      if (!isReaderLate) send();
    },
    dropped: () => dropped,
    onceRecovered: (callback) => {
      onRecovery.push(callback);
    },
    flush: (timeoutMs) => {
      const deadline = performance.now() + timeoutMs;
      for (retry(); waiting.length > 0 && performance.now() < deadline; retry()) {
        if (!isReaderLate) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    },
  };
}

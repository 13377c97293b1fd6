import { pino, type DestinationStream, type Logger } from 'pino';
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { logLevels } from '../config/environment.ts';
import { createLogQueue, type LogQueue } from './log-queue.ts';

export type { Logger, LogQueue };

const levels: ReadonlySet<string> = new Set(logLevels);

/**
 * The program's log, as JSON lines.
 * @param level pino's level name; any other text counts as info
 */
export function createLogger(level: string | undefined, destination: DestinationStream): Logger {
  const options = {
    level: level !== undefined && levels.has(level) ? level : 'info',
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination);
}

// For a log that is not read.
const lastLinesTimeoutMs = 1_000;

/** Writes log lines to standard output; waiting lines are written before the process ends. */
export function openLog(): LogQueue {
  const log = createLogQueue({ write: standardOutputWriter(), notice: droppedNotice });
  process.on('exit', () => log.flush(lastLinesTimeoutMs));
  return log;
}

/** @param code the system's error code, such as ENOSPC; EAGAIN: the reader was late */
function droppedNotice(dropped: number, code: string): string {
  const time = new Date().toISOString();
  const msg = `${dropped} line(s) of the log were dropped here: it could not be written (${code})`;
  return `${JSON.stringify({ level: 'error', time, dropped, code, msg })}\n`;
}

const standardOutput = 1;

/**
 * @returns writes to standard output, and throws EAGAIN instead of waiting for a reader. Another thread is no alternative:
 * the process cannot end while the thread waits.
 */
function standardOutputWriter(): (bytes: Buffer) => number {
  const descriptor = withoutWaiting();
  return (bytes) => writeSync(descriptor, bytes);
}

function withoutWaiting(): number {
  if (fstatSync(standardOutput).isFile()) return standardOutput;
  try {
    // A file description of our own: other writers of the same pipe or terminal are not affected.
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${standardOutput}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // Sockets cannot be reopened, nor can pipes of another user. Node makes both non-blocking when `process.stdout` is used;
    // a terminal of another user stays blocking.
    return process.stdout.fd;
  }
}

/** Warns only the first time for each key. Keys must come from a bounded set. */
export type WarnOnce = (key: string, fields: Readonly<Record<string, unknown>>, message: string) => void;

export function createWarnOnce(logger: Pick<Logger, 'warn'>): WarnOnce {
  const told = new Set<string>();
  return (key, fields, message) => {
    if (told.has(key)) return;
    told.add(key);
    logger.warn(fields, message);
  };
}

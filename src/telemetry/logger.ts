import { pino, type DestinationStream, type Logger } from 'pino';
import { logLevels } from '../config/log-levels.ts';
import { createLogQueue, type LogQueue } from './log-queue.ts';
import { standardOutputWriter } from './standard-output.ts';

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

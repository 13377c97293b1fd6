import { pino, type DestinationStream, type Logger } from 'pino';
import { createLogQueue, type LogQueue } from './log-queue.ts';
import { standardOutputWriter } from './standard-output.ts';

export type { Logger, LogQueue };

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

/**
 * The one log: JSON lines.
 * @param level pino's level name; anything else counts as info
 * @param base fields of every line
 */
export function createLogger(
  level: string | undefined,
  destination: DestinationStream,
  base: Readonly<Record<string, unknown>> | null = null,
): Logger {
  const options = {
    level: level !== undefined && levels.has(level) ? level : 'info',
    base,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination);
}

// Milliseconds, when nobody reads the log.
const lastLinesTimeoutMs = 1_000;

/**
 * Log lines to standard output, whatever that is; those that wait when the process ends are written before.
 * @param base fields of every line that are known by now, also of the one that tells how many lines are missing
 */
export function openLog(base: () => Readonly<Record<string, unknown>> = () => ({})): LogQueue {
  const log = createLogQueue({
    write: standardOutputWriter(),
    notice: (dropped, code) => droppedNotice(dropped, code, base()),
  });
  process.on('exit', () => log.flush(lastLinesTimeoutMs));
  return log;
}

/** @param code the system's, such as ENOSPC; EAGAIN: nobody read in time */
function droppedNotice(dropped: number, code: string, base: Readonly<Record<string, unknown>>): string {
  const time = new Date().toISOString();
  const msg = `${dropped} line(s) of the log were dropped here: it could not be written (${code})`;
  return `${JSON.stringify({ level: 'error', time, ...base, dropped, code, msg })}\n`;
}

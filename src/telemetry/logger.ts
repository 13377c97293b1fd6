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
const patienceForLastLines = 1_000;

/** Log lines to standard output, whatever that is; those that wait when the process ends are written before. */
export function openLog(): LogQueue {
  const log = createLogQueue({ write: standardOutputWriter(), notice: droppedNotice });
  process.on('exit', () => log.flush(patienceForLastLines));
  return log;
}

/** @param code the system's, such as ENOSPC; EAGAIN: nobody read in time */
function droppedNotice(dropped: number, code: string): string {
  const time = new Date().toISOString();
  const msg = `${dropped} line(s) of the log were dropped here: it could not be written (${code})`;
  return `${JSON.stringify({ level: 'error', time, dropped, code, msg })}\n`;
}

import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

/**
 * The one log: JSON lines on standard output.
 * @param level pino's level name; anything else counts as info
 */
export function createLogger(level: string | undefined, destination?: DestinationStream): Logger {
  const options = {
    level: level !== undefined && levels.has(level) ? level : 'info',
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // Each line is out before the next: what is said last, before the process ends, is not lost or overtaken.
  return pino(options, destination ?? pino.destination({ dest: 1, sync: true }));
}

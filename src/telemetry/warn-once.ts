import type { Logger } from './logger.ts';

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

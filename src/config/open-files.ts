import { readFileSync } from 'node:fs';
import type { Limits } from './configuration.ts';

/** @returns how many files and connections the process may have open at once; undefined where the system has no such limit */
export function openFilesLimit(): number | undefined {
  try {
    const said = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return said === undefined ? undefined : Number(said);
  } catch {
    return undefined;
  }
}

/** Its own databases, listeners and pages, before the first client. */
const fewest = 64;

/** The process may open too few files to start; else the first file that fails would seem unreadable. */
export class TooFewFiles extends Error {
  override readonly name = 'TooFewFiles';
}

/** @throws TooFewFiles */
export function requireOpenFiles(limit: number | undefined): void {
  if (limit !== undefined && limit < fewest)
    throw new TooFewFiles(
      `too few files may be open (ulimit -n is ${limit}): raise it to 1024 or more (LimitNOFILE= in systemd)`,
    );
}

/** Whether the process, or the machine, had no file left to open. */
export function isOutOfFiles(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}

// For the program itself, its databases, and the connections of fronts.
const reserved = 96;

/**
 * Fits the connection limits to the number of files that the process may open, so that a flood of clients cannot use
 * them up.
 * @param openFiles `undefined` if there is no limit
 * @returns the limits, and how many connections all clients together may have
 */
export function fitLimits(
  limits: Limits,
  openFiles: number | undefined,
): { readonly limits: Limits; readonly clientConnections: number } {
  if (openFiles === undefined) return { limits, clientConnections: Number.POSITIVE_INFINITY };
  const rest = Math.max(16, openFiles - reserved);
  // A connection to the embedded events app uses two files, one for each end.
  const part = (of: number, wanted: number) => Math.min(wanted, Math.floor(rest / of));
  return {
    limits: {
      ...limits,
      connectionsPerClient: part(4, limits.connectionsPerClient),
      upstreamConnections: part(8, limits.upstreamConnections),
    },
    clientConnections: Math.floor(rest / 2),
  };
}

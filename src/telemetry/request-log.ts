import type { Logger } from './logger.ts';
import { createMinuteBudget } from './pacing.ts';

interface Fields {
  /** The client's address. Omit it when all clients share this line. */
  readonly address?: string | undefined;
  readonly [name: string]: unknown;
}

type WriteLine = (fields: Fields, message: string) => void;

/**
 * The log for everything that a request can cause: anyone can send as many as they like, so all of these lines together have one budget a
 * minute, of which a client has a small part. A line of its own counts those left out. Lines at `debug` don't count.
 */
export interface RequestLog extends Pick<Logger, 'isLevelEnabled' | 'debug'> {
  /** At info: short, and by far the most of them. */
  readonly refusal: WriteLine;
  readonly error: WriteLine;
  readonly warn: WriteLine;
  readonly info: WriteLine;
}

/** Reads what an answer can do without. @returns undefined, with a line in the log, when it cannot be read */
export async function readIfPossible<T>(
  reading: Promise<T>,
  logger: Pick<RequestLog, 'warn'>,
  message: string,
): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    logger.warn({ err: error }, message);
    return undefined;
  }
}

export interface RequestLogOptions {
  readonly logger: Logger;
  /** Maps an address to its client. */
  readonly clientOf: (address: string) => string;
  /** Milliseconds, monotonic. */
  readonly elapsed?: () => number;
}

// In refusals, of about half a KiB. Ordinary use stays far below.
const perMinute = { client: 3_000, all: 12_000 } as const;
/** Most other lines have a stack. */
const costOfOthers = 10;

// Milliseconds.
const reportInterval = 60_000;

export function createRequestLog(options: RequestLogOptions): RequestLog & { close(): void } {
  const { logger, clientOf, elapsed = () => performance.now() } = options;
  const budget = createMinuteBudget({ perClient: perMinute.client, perMinute: perMinute.all, elapsed });
  let leftOut = 0;
  /** A malformed address counts as a client of its own. */
  const clientKey = (address = '') => {
    try {
      return clientOf(address);
    } catch {
      return address;
    }
  };
  const bounded =
    (level: 'error' | 'warn' | 'info', cost = costOfOthers): WriteLine =>
    (fields, message) => {
      if (budget.take(clientKey(fields.address), cost)) logger[level](fields, message);
      else leftOut += 1;
    };
  const report = () => {
    if (leftOut === 0) return;
    const count = leftOut;
    leftOut = 0;
    logger.warn(
      { left_out: count },
      `${count} lines about requests of the last minute were left out of the log: postern_decisions_total counts refusals, and the last decisions can be explained`,
    );
  };
  const reporting = setInterval(report, reportInterval).unref();
  return {
    refusal: bounded('info', 1),
    error: bounded('error'),
    warn: bounded('warn'),
    info: bounded('info'),
    debug: logger.debug.bind(logger),
    isLevelEnabled: logger.isLevelEnabled.bind(logger),
    close: () => {
      clearInterval(reporting);
      report();
    },
  };
}

import type { CountedWindows, WindowRule } from '../../identity/limits/counted-windows.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { ReloadReport } from '../../config/reload-report.ts';
import type { GateFiles, RuntimeFiles } from '../gate-files.ts';
import type { ListedStream } from '../../access/streams/listed-stream.ts';
import type { MetricsOfProcess } from '../../telemetry/metrics.ts';
import type { Readiness } from '../../telemetry/readiness.ts';
import type { Handlers } from './calls.ts';

/** The current configuration with its files, read by one process for all. */
export interface CurrentConfiguration {
  /** Nanoseconds of the machine's monotonic clock when it was read: the latest wins. */
  readonly readAt: bigint;
  readonly configuration: Configuration;
  readonly files: GateFiles;
}

/** Calls of the primary to a worker. */
export interface WorkerHandlers extends Handlers {
  /** The first call, once. Answered when the worker takes connections. */
  start(first: {
    /** From 1; a replacement has the number of its predecessor. */
    readonly worker: number;
    readonly directory: string;
    readonly current: CurrentConfiguration;
    readonly report: ReloadReport;
  }): Promise<void>;
  /** Answered at once: the worker runs. */
  isThere(): void;
  /** A connection of a listener, by its key. Answered when it is taken. */
  connection(listener: string, socket: unknown): void;
  take(current: CurrentConfiguration): void;
  report(report: ReloadReport): void;
  metrics(): Promise<MetricsOfProcess>;
  streams(): Promise<readonly ListedStream[]>;
  cutStream(id: string): Promise<ListedStream | undefined>;
  readiness(): Promise<Readiness>;
  leave(): void;
  /** Answered when all is over. */
  stop(timeoutMs: number): Promise<void>;
}

/** Calls of a worker to the primary. */
export interface PrimaryHandlers extends Handlers {
  takePlace(asked: { readonly rule: WindowRule; readonly key: string }): ReturnType<CountedWindows['take']>;
  giveBack(given: { readonly rule: WindowRule; readonly key: string; readonly ends: number }): Promise<void>;
  /** A request has changed the configuration. Answered when every worker has applied it. */
  changed(change: {
    readonly readAt: bigint;
    readonly configuration: Configuration;
    readonly files: RuntimeFiles;
  }): Promise<void>;
  metricsOfAll(): Promise<string>;
  readinessOfAll(): Promise<Readiness>;
  streamsOfAll(): Promise<readonly ListedStream[]>;
  /** In whichever worker it is. */
  cutStream(id: string): Promise<ListedStream | undefined>;
}

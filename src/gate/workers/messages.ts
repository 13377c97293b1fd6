import type { CountedWindows, WindowRule } from '../../identity/limits/counted-windows.ts';
import type { Configuration } from '../../config/configuration.ts';
import type { ReloadReport } from '../../config/reload-report.ts';
import type { GateFiles, RuntimeFiles } from '../gate-files.ts';
import type { ListedExchange } from '../../access/streams/listed-exchange.ts';
import type { MetricsOfProcess } from '../../telemetry/metrics.ts';
import type { Readiness } from '../../telemetry/readiness.ts';
import type { Handlers } from './calls.ts';

/** The current configuration with its files, as one process has read them for all. */
export interface CurrentConfiguration {
  /** Nanoseconds of the machine's monotonic clock when it was read: what was read later wins. */
  readonly readAt: bigint;
  readonly configuration: Configuration;
  readonly files: GateFiles;
}

/** What the primary asks a worker for. */
export interface WorkerHandlers extends Handlers {
  /** Once, and first. Answered when it takes connections. */
  start(first: {
    /** From 1; of the one that takes the place of another, the same. */
    readonly worker: number;
    readonly directory: string;
    readonly current: CurrentConfiguration;
    readonly report: ReloadReport;
  }): Promise<void>;
  /** Answered at once: it runs. */
  isThere(): void;
  /** A connection of a listener, by its key. Answered when it is taken. */
  connection(listener: string, socket: unknown): void;
  take(current: CurrentConfiguration): void;
  report(report: ReloadReport): void;
  metrics(): Promise<MetricsOfProcess>;
  exchanges(): Promise<readonly ListedExchange[]>;
  cutExchange(id: string): Promise<ListedExchange | undefined>;
  readiness(): Promise<Readiness>;
  leave(): void;
  /** Answered when all is over. @param timeoutMs milliseconds */
  stop(timeoutMs: number): Promise<void>;
}

/** What a worker asks the primary for. */
export interface PrimaryHandlers extends Handlers {
  takePlace(asked: { readonly rule: WindowRule; readonly key: string }): ReturnType<CountedWindows['take']>;
  giveBack(given: { readonly rule: WindowRule; readonly key: string; readonly ends: number }): Promise<void>;
  /** The configuration was changed by a request. Answered when every worker has it. */
  changed(change: {
    readonly readAt: bigint;
    readonly configuration: Configuration;
    readonly files: RuntimeFiles;
  }): Promise<void>;
  metricsOfAll(): Promise<string>;
  readinessOfAll(): Promise<Readiness>;
  exchangesOfAll(): Promise<readonly ListedExchange[]>;
  /** Whichever worker has it. */
  cutExchange(id: string): Promise<ListedExchange | undefined>;
}

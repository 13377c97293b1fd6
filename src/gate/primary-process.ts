import type { CountedWindows } from '../identity/limits/counted-windows.ts';
import type { Configuration } from '../config/configuration.ts';
import type { StreamsOfGate } from '../access/streams/listed-stream.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import type { GateFiles, RuntimeFiles } from './gate-files.ts';
import type { Listen } from '../http/listen.ts';

/** What one of several processes leaves to the primary. */
export interface PrimaryProcess {
  /** As the primary has read them. */
  readonly files: GateFiles;
  readonly windows: CountedWindows;
  /** Receives the connections of a listener from the primary. */
  readonly listen: Listen;
  /** Notes what was changed and applied here, for all others. */
  spread(configuration: Configuration, files: RuntimeFiles): void;
  /**
   * Takes what was noted so far.
   * @returns sends it, and settles when all others have applied it. @throws when that is not known
   */
  takeSpread(): () => Promise<void>;
  /** Of all processes together. */
  readiness(): Promise<Readiness>;
  /** The metrics of all processes together, in the text format of Prometheus. */
  expose(): Promise<string>;
  /** Of all processes together. */
  readonly streams: StreamsOfGate;
  /** One process writes to the recorder. */
  readonly writesToRecorder: boolean;
}

import { keepListeners } from '../config/changes.ts';
import type { Configuration } from '../config/configuration.ts';
import { lossOf } from '../config/lost-configuration.ts';
import { ConfigurationError } from '../config/problem.ts';
import type { ReloadRecord } from '../config/reload-report.ts';
import { AppError } from '../errors.ts';
import type { Current } from './current.ts';
import { readRuntimeFiles, type GateFiles, type RuntimeFiles } from './gate-files.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import type { Services } from './services.ts';

/** Replaces one runtime by another. Requests under way finish with the one that they began with. */
export interface Applying {
  /** Applies a configuration. The listeners stay. */
  apply(configuration: Configuration, files: RuntimeFiles): void;
  /** Applies the custom roles that the store has now. */
  applyRoles(): void;
}

export interface ApplyingOptions {
  readonly current: Current<Runtime>;
  readonly files: GateFiles;
  readonly services: Services;
  readonly reloads: ReloadRecord;
  /** `unix:/path` of the events app. */
  readonly events: string;
  /** Directory of the files of a changed configuration. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
}

export function createApplying(options: ApplyingOptions): Applying {
  const { current, services, reloads, events, readConfiguration } = options;
  let { files } = options;

  function become(configuration: Configuration, changedFiles: RuntimeFiles): void {
    const taken = { ...files, ...changedFiles };
    const context = { events, check, readConfiguration, current: current.runtime };
    const runtime = createRuntime(configuration, taken, services, context);
    // Nothing has changed so far: a failure before this line leaves everything as it was.
    files = taken;
    current.become(configuration, runtime);
    runtime.start();
  }
  function apply(configuration: Configuration, changedFiles: RuntimeFiles): void {
    become(configuration, changedFiles);
    reloads.apply(configuration);
  }
  function check(text: string, base: string | undefined): () => void {
    const previous = current.configuration();
    const loss = lossOf(previous.source, base);
    if (loss !== undefined)
      throw new AppError('configuration_read_only', { cause: new ConfigurationError([loss]) });
    const { configuration } = keepListeners(readConfiguration(text), previous);
    const changedFiles = readRuntimeFiles(configuration, options);
    return () => {
      // Reloaded while the text was being written: what was read for it before, such as a secret, may be out of date.
      if (current.configuration() !== previous) {
        check(text, current.configuration().source)();
        return;
      }
      apply(configuration, changedFiles);
    };
  }
  return { apply, applyRoles: () => become(current.configuration(), files) };
}

import { keepListeners } from '../config/changes.ts';
import type { Configuration } from '../config/configuration.ts';
import type { ReloadRecord } from '../config/reload-report.ts';
import { readRuntimeFiles, type RuntimeFiles } from './gate-files.ts';
import type { PrimaryProcess } from './primary-process.ts';
import { createRuntime, type Runtime, type RuntimeContext } from './runtime.ts';
import type { Services } from './services.ts';

/** What decides and answers: by one configuration after the other, and by other custom roles. */
export interface Gate {
  /** Of this moment. */
  runtime(): Runtime;
  configuration(): Configuration;
  /** Takes another configuration, whose listeners are those that there are. */
  apply(configuration: Configuration, files: RuntimeFiles): void;
  /** Takes the custom roles of the store as they are now. */
  applyRoles(): void;
}

export interface GateOptions extends Pick<RuntimeContext, 'events' | 'certificateEnds'> {
  readonly configuration: Configuration;
  readonly files: RuntimeFiles;
  readonly services: Services;
  readonly reloads: ReloadRecord;
  /** Where files are that a changed configuration is made of. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  readonly primary?: PrimaryProcess | undefined;
}

/**
 * Makes the first runtime. Whatever answers requests takes the gate that this returns, so that none can come before.
 * @throws ConfigurationError
 */
export function createGate(options: GateOptions): Gate {
  const { services, reloads, readConfiguration, primary } = options;
  let { configuration, files } = options;
  const apply: Gate['apply'] = (changed, changedFiles) => {
    runtime = createRuntime(changed, changedFiles, services, context);
    configuration = changed;
    files = changedFiles;
    reloads.apply(changed);
  };
  const context: RuntimeContext = {
    events: options.events,
    current: () => runtime,
    certificateEnds: options.certificateEnds,
    check: (text) => {
      const changed = keepListeners(readConfiguration(text), configuration).configuration;
      const changedFiles = readRuntimeFiles(changed, options);
      return () => {
        apply(changed, changedFiles);
        primary?.spread(changed, changedFiles);
      };
    },
  };
  let runtime = createRuntime(configuration, files, services, context);
  return {
    runtime: () => runtime,
    configuration: () => configuration,
    apply,
    applyRoles: () => {
      runtime = createRuntime(configuration, files, services, context);
    },
  };
}

import { requireWhole } from '../../config/applied-configuration.ts';
import type { CheckConfiguration } from '../../config/configuration-file.ts';
import { configurationReader } from '../../config/load.ts';
import type { CommandContext } from './command.ts';

/** Checks a config.yml that a command writes: it is valid, and was not made of one that was cut off. */
export function checkWritten({ environment, root }: CommandContext, directory: string): CheckConfiguration {
  const read = configurationReader(environment, root, 'config.yml');
  return (text, previous) => {
    requireWhole(directory, undefined, previous, 'reload');
    read(text);
    return () => {};
  };
}

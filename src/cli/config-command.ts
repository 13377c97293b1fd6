import { Command } from 'commander';
import { loadConfiguration } from '../config/load.ts';
import { print, type CommandContext } from './context.ts';

export function configCommand({ environment, root }: CommandContext): Command {
  return new Command('config').description('looks at the configuration').addCommand(
    new Command('check')
      .description(
        'reports every problem of config.yml and of the trusted-headers file; exit status 78 with any',
      )
      .action(() => {
        const { configuration, directory, fileFound } = loadConfiguration(environment, root);
        for (const warning of configuration.warnings) print(`warning: ${warning}`);
        print(
          fileFound
            ? `${directory}/config.yml is good`
            : `no ${directory}/config.yml: everything has its default`,
        );
      }),
  );
}

import { Command } from 'commander';
import { systemClock } from '../../clock.ts';
import { loadConfiguration } from '../../config/load.ts';
import { alertSettings, sendTest } from './send-to-all.ts';
import type { CommandContext } from '../../cli/frame/command.ts';
import { print } from '../../cli/frame/output.ts';

export function notificationsCommand(context: CommandContext): Command {
  return new Command('notifications').description('tries where alerts go').addCommand(
    new Command('test')
      .description('sends a test to each target of notifications.targets; exit status 1 if one failed')
      .action(async () => {
        const { configuration } = loadConfiguration(context.environment, context.root);
        if (configuration.notifications.targets.length === 0)
          throw new Error('notifications.targets of config.yml is empty: there is nothing to test');
        const results = await sendTest(
          alertSettings(configuration),
          'the postern command',
          systemClock.now(),
        );
        for (const { type, host, fault } of results) print(`${type} ${host}: ${fault ?? 'sent'}`);
        if (results.some(({ fault }) => fault !== undefined)) process.exitCode = 1;
      }),
  );
}

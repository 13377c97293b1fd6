import { Command } from 'commander';
import { resetTime, type EndedByReset } from '../accounts/reset-time.ts';
import { systemClock } from '../clock.ts';
import type { CommandContext } from './frame/command.ts';
import { onActivity, onStore } from './frame/on-store.ts';
import { localTime } from './frame/output.ts';
import { askWhether } from './frame/prompts.ts';

export function clockCommand(context: CommandContext): Command {
  return new Command('clock')
    .description('manages the latest time that Postern trusts')
    .addCommand(
      new Command('reset')
        .description(
          'trusts the clock of this machine again after it was ahead, and ends the sessions, API tokens, screens, shares and invitations of that time',
        )
        .action(() => reset(context)),
    );
}

async function reset(context: CommandContext): Promise<void> {
  const shown = localTime(systemClock.now());
  const question = `The clock of this machine shows ${shown}. Is that right?`;
  if (process.stdin.isTTY && !(await askWhether(question, process.stdin, process.stderr)))
    throw new Error('set the clock instead: nothing has changed');
  await onStore(context, async ({ store, keeping, configuration, record, say }) => {
    const now = systemClock.now();
    const { was, ended } = await onActivity(keeping, (activity) =>
      resetTime({ store, activity }, now, configuration.auth.sessionLength),
    );
    const counts = countsIn(ended);
    record({
      event: 'clock_reset',
      detail: {
        ...(was !== undefined && { was: new Date(was).toISOString() }),
        ...Object.fromEntries(counts.map(([what, count]) => [what.replaceAll(' ', '_'), count])),
      },
    });
    if (was !== undefined) say(`the latest time was ${localTime(was)}`);
    say(`the latest time is ${localTime(now)}, as the clock of this machine shows`);
    say(
      counts.length === 0
        ? 'nothing was made at a later time'
        : `ended what was made at a later time: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`,
    );
  });
}

function countsIn(ended: EndedByReset): ReadonlyArray<readonly [string, number]> {
  return Object.entries(ended).filter(([, count]) => count > 0);
}

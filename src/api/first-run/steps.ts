import type { FirstRun } from '../../accounts/first-run.ts';
import type { ConfigurationReading } from '../../recorder/configuration-reading.ts';
import type { Settings } from '../../settings/settings.ts';

/** What leads from a new gate to one that is used, in this order. */
const stepNames = ['password', 'recorder', 'person', 'check'] as const;

type StepName = (typeof stepNames)[number];

export interface Step {
  readonly name: StepName;
  /** By what the gate finds, and not by what somebody has pressed. */
  readonly done: boolean;
}

export interface StepsDependencies {
  readonly settings: Pick<Settings, 'mode'>;
  readonly firstRun: Pick<FirstRun, 'facts' | 'accounts'>;
  readonly about: { readonly recorder: ConfigurationReading['knowledge'] };
}

/** @returns the steps that this gate has: behind a single sign-on there are no accounts to care for */
export async function findSteps({ settings, firstRun, about }: StepsDependencies): Promise<readonly Step[]> {
  const [{ checked }, accounts] = await Promise.all([firstRun.facts(), firstRun.accounts()]);
  const known = about.recorder();
  const recorder = known?.configuration !== undefined && known.fault === undefined;
  const done: Readonly<Record<StepName, boolean>> = {
    password: !accounts.hasGeneratedPassword,
    recorder,
    person: !accounts.isOnePerson,
    check: checked,
  };
  const hasAccounts = settings.mode === 'session';
  return stepNames
    .filter((name) => hasAccounts || (name !== 'password' && name !== 'person'))
    .map((name) => ({ name, done: done[name] }));
}

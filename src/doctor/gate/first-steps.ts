import {
  certificate,
  configuration,
  password,
  person,
  recorder,
  roles,
  type GateFinding,
  type GateState,
} from './gate-checks.ts';

/** What an admin is shown of the gate; all of it is in memory. In their order. */
export const shownChecks = { configuration, certificate, recorder, roles } as const;

/** Whether an admin has seen them, and there is no fault at the moment. */
export async function check(gate: GateState): Promise<GateFinding> {
  const { checked } = await gate.firstRun.facts();
  const hasFault = Object.values(shownChecks).some((look) => look(gate).result === 'fault');
  return { result: checked && !hasFault ? 'ok' : 'hint' };
}

/** What leads from a new gate to one that is used, in this order: by what the gate finds, and not by what was pressed. */
const stepChecks = { password, recorder, person, check } as const;

type StepName = keyof typeof stepChecks;
export const stepNames = Object.keys(stepChecks) as readonly StepName[];

interface Step {
  readonly name: StepName;
  readonly done: boolean;
}

/** @returns the steps that this gate has: behind a single sign-on there are no accounts to care for */
export function findSteps(gate: GateState): Promise<readonly Step[]> {
  const hasAccounts = gate.settings.mode === 'session';
  const names = stepNames.filter((name) => hasAccounts || (name !== 'password' && name !== 'person'));
  return Promise.all(
    names.map(async (name) => ({ name, done: (await stepChecks[name](gate)).result === 'ok' })),
  );
}

/** Whether steps are open; a store that is older than the steps has none. */
export async function steps(gate: GateState): Promise<GateFinding> {
  const { shown } = await gate.firstRun.facts();
  const open = (await findSteps(gate)).filter(({ done }) => !done).map(({ name }) => name);
  if (open.length === 0) return { result: 'ok' };
  return {
    result: 'hint',
    seen: open,
    detail: { open: open.join(','), count: open.length, shown: shown ? 1 : 0 },
  };
}

import type { Clock } from '../../clock.ts';
import type { ReloadReport } from '../../config/reload-report.ts';
import type { ConfigurationReading } from '../../recorder/configuration-reading.ts';
import type { Settings } from '../../settings/settings.ts';

/** What the gate can find out about itself. What others can reach, only somebody outside can say: `postern doctor`. */
export const checkNames = ['configuration', 'certificate', 'recorder', 'roles'] as const;

export interface Check {
  readonly name: (typeof checkNames)[number];
  /** `none`: there is nothing to look at. */
  readonly result: 'ok' | 'hint' | 'fault' | 'none';
  /** Names or words that belong to the result; a warning of the configuration, a role, a reason. */
  readonly seen: readonly string[];
}

export interface ChecksDependencies {
  readonly settings: Pick<Settings, 'ownFront' | 'rules' | 'roleAtRecorder'>;
  readonly about: {
    readonly reloads: () => ReloadReport;
    readonly recorder: ConfigurationReading['knowledge'];
  };
  readonly clock: Clock;
  /** Milliseconds since the epoch; undefined: the gate has none to show. */
  readonly certificateEnds: () => number | undefined;
}

export const day = 86_400_000;

// Renewals by ACME come earlier than that.
export const daysToCare = 21;

/** Looks at what is in memory: no file is read, and nobody is asked. */
export function checksOf(dependencies: ChecksDependencies): readonly Check[] {
  return [
    ofConfiguration(dependencies),
    ofCertificate(dependencies),
    ofRecorder(dependencies),
    ofRoles(dependencies),
  ];
}

function ofConfiguration({ about }: ChecksDependencies): Check {
  const { successful, problems, warnings, waiting } = about.reloads();
  const name = 'configuration';
  if (!successful) return { name, result: 'fault', seen: problems.map(({ path }) => path) };
  const seen = [...waiting.map((key) => `${key}: waits for a restart`), ...warnings];
  return { name, result: seen.length > 0 ? 'hint' : 'ok', seen };
}

function ofCertificate({ certificateEnds, clock }: ChecksDependencies): Check {
  const ends = certificateEnds();
  const name = 'certificate';
  if (ends === undefined) return { name, result: 'none', seen: [] };
  const result = ends - clock.now() > daysToCare * day ? 'ok' : 'fault';
  return { name, result, seen: [new Date(ends).toISOString().slice(0, 10)] };
}

function ofRecorder({ about }: ChecksDependencies): Check {
  const known = about.recorder();
  const name = 'recorder';
  if (known === undefined) return { name, result: 'none', seen: [] };
  const { configuration, fault, isForEverybody } = known;
  if (fault === undefined && configuration === undefined)
    return { name, result: 'hint', seen: ['not_asked'] };
  if (fault !== undefined) return { name, result: 'fault', seen: [fault] };
  if (isForEverybody === true) return { name, result: 'hint', seen: ['everybody_is_admin'] };
  return { name, result: 'ok', seen: [...(configuration?.cameras.keys() ?? [])] };
}

function ofRoles({ settings }: ChecksDependencies): Check {
  const name = 'roles';
  if (settings.rules.customRoles.size === 0) return { name, result: 'none', seen: [] };
  const unverified = unverifiedRoles(settings);
  return unverified.length === 0
    ? { name, result: 'ok', seen: [] }
    : { name, result: 'fault', seen: unverified };
}

/**
 * One that was not asked about yet will be in a moment. Without `upstream`, the embedded front passes on to the events app alone,
 * which keeps every role to its cameras.
 */
export function unverifiedRoles({
  ownFront,
  rules,
  roleAtRecorder,
}: Pick<Settings, 'ownFront' | 'rules' | 'roleAtRecorder'>): readonly string[] {
  return [...rules.customRoles.keys()].filter((role) => {
    const found = roleAtRecorder(role);
    if (found.state === 'verified' || found.reason === 'not_asked') return false;
    return ownFront !== 'embedded' || found.reason !== 'upstream_unset';
  });
}

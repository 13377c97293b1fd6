import type { Clock } from '../../../clock.ts';
import type { Configuration } from '../../../config/configuration.ts';
import { CannotExamine } from '../cannot-examine.ts';
import type { ReportRow } from '../examine.ts';
import { skipped, type Finding } from '../probe.ts';
import { discoveryProbe } from './discovery-probe.ts';
import { clockProbe, keysProbe } from './keys-probe.ts';
import { claimsProbe, rolesProbe } from './person-probes.ts';
import { reachProvider, type ProviderProbe } from './provider-examination.ts';
import { redirectProbe, secretProbe } from './registration-probes.ts';
import { providerSessionsProbe } from './session-probes.ts';

/** Every probe that needs what discovery found, in the order in which they run. */
const later: readonly ProviderProbe[] = [
  keysProbe,
  clockProbe,
  redirectProbe,
  secretProbe,
  claimsProbe,
  rolesProbe,
  providerSessionsProbe,
];

/** All of them, for the table of docs/doctor.md. */
export const providerProbes = [discoveryProbe, ...later] as const;

/**
 * Asks the provider of `auth.oidc` what can be asked without a login. Nothing is changed there, and nobody is logged in.
 * @throws CannotExamine without a provider in the configuration
 */
export async function examineProvider(
  configuration: Configuration,
  clock: Clock,
): Promise<readonly ReportRow[]> {
  const { auth, publicUrl } = configuration;
  const { oidc } = auth;
  if (oidc === undefined || publicUrl === undefined)
    throw new CannotExamine('the configuration has no auth.oidc');
  const reached = await reachProvider(oidc, publicUrl, configuration, clock);
  const { metadata } = reached;
  const rows = rowsOf('oidc-discovery', await discoveryProbe.run(reached));
  for (const { name, run } of later) {
    const findings =
      metadata === undefined
        ? [skipped('see oidc-discovery: the provider was not found')]
        : await run({ ...reached, metadata });
    rows.push(...rowsOf(name, findings));
  }
  return rows;
}

function rowsOf(probe: string, findings: readonly Finding[]): ReportRow[] {
  return findings.map((finding) => ({ probe, ...finding }));
}

import { setTimeout } from 'node:timers/promises';
import { sendRaw } from './raw-http.ts';
import type { KnownRoles } from './recorder-profile.ts';
import type { RunningGateway } from './start-gateway.ts';

interface ToldRole {
  readonly name: string;
  readonly recorder: 'verified' | 'unverified';
  readonly recorder_reason?: string;
}

/** A recorder with the cameras and roles of a document of config.yml. */
export function rolesOf(config: Readonly<Record<string, unknown>>): KnownRoles {
  const { auth, cameras = [] } = config as {
    readonly auth?: { readonly roles?: KnownRoles['roles'] };
    readonly cameras?: readonly string[] | Readonly<Record<string, unknown>>;
  };
  const roles = auth?.roles ?? {};
  const named = Array.isArray(cameras) ? (cameras as readonly string[]) : Object.keys(cameras);
  // One that no role has: a user taken for a viewer sees more than any of them.
  return { roles, cameras: [...new Set([...named, ...Object.values(roles).flat(), 'somewhere_else'])] };
}

/** The custom roles of a gateway, from `GET /postern/api/roles` of the internal entry point. */
export async function rolesAtRecorder({ addresses }: Pick<RunningGateway, 'addresses'>): Promise<ToldRole[]> {
  const internal = addresses.internal ?? addresses.forwardAuthInternal ?? '';
  return JSON.parse((await sendRaw(internal, { uri: '/postern/api/roles' })).body) as ToldRole[];
}

/** Waits until the gateway has verified that the recorder keeps every role to its cameras. */
export async function rolesAreVerified(gateway: Pick<RunningGateway, 'addresses'>): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    const roles = await rolesAtRecorder(gateway);
    if (roles.every(({ recorder }) => recorder === 'verified')) return;
    await setTimeout(50);
  }
  throw new Error(`not verified: ${JSON.stringify(await rolesAtRecorder(gateway))}`);
}

/** Waits until the gateway has read the cameras of the recorder, so that it asks for nothing more. */
export async function camerasAreRead({ log }: Pick<RunningGateway, 'log'>): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (log.some(({ msg }) => msg === 'the recorder has sent its cameras and their live streams')) return;
    await setTimeout(50);
  }
  throw new Error('the cameras of the recorder were not read');
}

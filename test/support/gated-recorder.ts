import { adminOf, type Visitor } from './log-in.ts';
import { startGateway, type GatewayOptions, type RunningGateway } from './start-gateway.ts';
import { startNginxFor } from './start-nginx.ts';

/** Fronts that end what is open: both pass streams on by the gate itself. */
export const endingFronts = ['embedded front', 'nginx with the relay'] as const;

export interface GatedRecorder {
  readonly gateway: RunningGateway;
  /** Of the authenticated entry point of the front, with TLS. */
  readonly address: string;
  readonly admin: Visitor;
  /** The recorder's too. */
  close(): Promise<void>;
}

/** Starts a gate before a recorder, behind one of the fronts. */
export async function startGated(
  front: (typeof endingFronts)[number],
  recorder: { readonly address: string; close(): Promise<void> },
  { config, ...options }: GatewayOptions,
): Promise<GatedRecorder> {
  const gateway = await startGateway({
    ...options,
    config: { ...config, upstream: `http://${recorder.address}` },
  });
  const nginx =
    front === 'embedded front' ? undefined : await startNginxFor(gateway, { recorder: recorder.address });
  const address = nginx?.authenticated ?? gateway.addresses.authenticated ?? '';
  return {
    gateway,
    address,
    admin: await adminOf(gateway, address),
    close: async () => {
      await nginx?.close();
      await gateway.close();
      await recorder.close();
    },
  };
}

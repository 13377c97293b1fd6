import type { Tab } from './browse.ts';

/** A device that keeps passkeys and verifies its user (WebAuthn, section 11). */
export interface PasskeyDevice {
  /** Whether a user presses whenever a site asks, and takes what the browser offers. */
  press(doesPress: boolean): Promise<void>;
}

/** Gives a tab such a device, which no one presses yet. */
export async function addPasskeyDevice({ context, page }: Tab): Promise<PasskeyDevice> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  return {
    press: async (enabled) =>
      void (await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
  };
}

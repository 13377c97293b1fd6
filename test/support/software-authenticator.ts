import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What a browser or an authenticator does otherwise than it should. */
interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** False: someone was there, and was not verified. */
  readonly userVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly crossOrigin?: boolean;
  readonly type?: string;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** A passkey in software (WebAuthn, 6): ES256, attestation `none`. */
interface SoftwarePasskey {
  readonly id: string;
  readonly userHandle: string;
  counter: number;
  readonly key: KeyObject;
}

/** @param origin of the page that asks */
export function softwareAuthenticator(origin: string) {
  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: deviation.crossOrigin ?? false,
      }),
    );

  const authenticatorData = (rpId: string, counter: number, deviation: Deviation, attested?: Buffer) => {
    const userVerified = deviation.userVerified ?? true;
    const flags = 0x01 + (userVerified ? 0x04 : 0) + (attested === undefined ? 0 : 0x40);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(deviation.counter ?? counter);
    const hash = createHash('sha256')
      .update(deviation.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  };

  return {
    /** @returns a new passkey, and what the browser sends of it */
    create: ({ challenge, rp, user }: CreationOptions, deviation: Deviation = {}) => {
      const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      );
      const credentialId = randomBytes(32);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cose]);
      const authData = new Uint8Array(authenticatorData(rp.id, 0, deviation, attested));
      const id = credentialId.toString('base64url');
      const passkey: SoftwarePasskey = { id, userHandle: user.id, counter: 0, key };
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, never>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, never>()],
          ['authData', authData],
        ]),
      );
      const response = {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, deviation).toString('base64url'),
          attestationObject: Buffer.from(attestationObject).toString('base64url'),
          transports: ['internal'],
        },
      };
      return { passkey, response };
    },

    /** @returns what a passkey signs, one more than it has signed before */
    sign: (passkey: SoftwarePasskey, { challenge, rpId }: RequestOptions, deviation: Deviation = {}) => {
      passkey.counter += 1;
      const data = clientData('webauthn.get', challenge, deviation);
      const authData = authenticatorData(rpId, passkey.counter, deviation);
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
      return {
        id: passkey.id,
        rawId: passkey.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, passkey.key).toString('base64url'),
          userHandle: deviation.userHandle === undefined ? passkey.userHandle : deviation.userHandle,
        },
      };
    },
  };
}

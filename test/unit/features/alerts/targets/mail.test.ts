import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import type * as Nodemailer from 'nodemailer';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sendMail } from '../../../../../src/features/alerts/targets/mail.ts';
import { startMailServer } from '../../../../support/receivers.ts';

const connected = vi.hoisted(() => ({ to: '' }));
// The server listens on loopback only: the connection leads there, whatever address it is made to.
vi.mock('nodemailer', async (original) => {
  const nodemailer = await original<typeof Nodemailer>();
  return {
    ...nodemailer,
    createTransport: (options: { readonly host: string }) => {
      connected.to = options.host;
      return nodemailer.createTransport({ ...options, host: '127.0.0.1' } as never);
    },
  };
});

/** The mail server has this address until the test ends. */
function lookedUpAs(address: string): void {
  const stub = vi.spyOn(dns, 'lookup').mockResolvedValue({ address, family: 4 });
  syncBuiltinESMExports();
  onTestFinished(() => {
    stub.mockRestore();
    syncBuiltinESMExports();
  });
}

const alert = {
  id: 'one',
  message: { title: 'A test', text: 'Of the gate' },
  house: 'Home',
  link: undefined,
  isOwn: false,
} as never;

/** Sends a mail by a server that offers no TLS. @returns how many arrived, and whether the password was sent */
async function send(address: string, user: string) {
  const credentials = user === '' ? undefined : { user, pass: 'secret' };
  const smtp = await startMailServer(credentials);
  onTestFinished(smtp.close);
  lookedUpAs(address);
  const url = smtp.url.replace('//127.0.0.1', `//${user === '' ? '' : `${user}:secret@`}mail.example`);
  const target = { type: 'mail', url, from: 'a@b.example', to: ['c@d.example'], mayBePrivate: true } as const;
  const fault = await sendMail(target, alert).then(
    () => undefined,
    (error: Error) => error.name,
  );
  expect(connected.to).toBe(address);
  return { arrived: smtp.mails.length, logins: smtp.logins(), fault };
}

test.each(['127.0.0.1', '127.8.9.10', '::1'])(
  'to a server at %s, a password is sent without TLS',
  async (at) => {
    expect(await send(at, 'ada')).toEqual({ arrived: 1, logins: 1, fault: undefined });
  },
);

test.each(['192.0.2.1', '10.127.0.1', '128.0.0.1', '12.7.0.1', '::11', 'fd00::1', '2001:db8::1'])(
  'to a server at %s, no password is sent without TLS, and no mail',
  async (at) => {
    expect(await send(at, 'ada')).toEqual({ arrived: 0, logins: 0, fault: 'DeliveryError' });
  },
);

test.each(['127.0.0.1', '192.0.2.1'])('to a server at %s, a mail without a password is sent', async (at) => {
  expect(await send(at, '')).toEqual({ arrived: 1, logins: 0, fault: undefined });
});

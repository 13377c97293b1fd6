import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { MailTarget } from '../../../config/resolve-notifications.ts';
import { isPublicAddress } from '../../../policy/public-address.ts';
import type { SentAlert } from '../sent-alert.ts';
import { mailPage } from './mail-page.ts';
import { reasonOf } from './post.ts';
import { answerTimeout, DeliveryError } from './reach.ts';

/**
 * Sends an alert by mail, as text and HTML. A password goes over TLS alone, except to loopback.
 * @throws DeliveryError
 */
export async function sendMail(
  { url, from, mayBePrivate }: MailTarget,
  to: readonly string[],
  { id, message: { title, text }, house, link, isOwn }: SentAlert,
): Promise<void> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  try {
    const { address } = await lookup(name);
    if (!mayBePrivate && !isPublicAddress(address))
      throw new DeliveryError(`${name} is at a private address`);
    const isLoopback = /^(?:127\.|::1$)/.test(address);
    // Without mail, its code is not loaded.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host: address,
      ...(port !== '' && { port: Number(port) }),
      secure: protocol === 'smtps:',
      requireTLS: username !== '' && !isLoopback,
      tls: isIP(name) === 0 ? { servername: name } : {},
      ...(username !== '' && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      connectionTimeout: answerTimeout,
      greetingTimeout: answerTimeout,
      socketTimeout: answerTimeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await transport.sendMail({
      from: { name: house, address: from },
      to: to.map((mailbox) => ({ name: '', address: mailbox })),
      subject: title,
      text: link === undefined ? `${text}\n` : `${text}\n\n${link}\n`,
      html: mailPage({ title, text, house, link, isOwn }),
      messageId: `<${id}@${from.split('@')[1]}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    const { responseCode } = error as { readonly responseCode?: number };
    throw new DeliveryError(responseCode === undefined ? reasonOf(error) : `it answered ${responseCode}`, {
      cause: error,
    });
  }
}

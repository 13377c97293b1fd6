import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { MailTarget } from '../../../config/resolve-notifications.ts';
import { isPublicAddress } from '../../../policy/public-address.ts';
import type { SentAlert } from '../message.ts';
import { answerTimeout, asDeliveryError, DeliveryError } from './post.ts';

/**
 * Sends an alert by mail, as text and HTML. A password is sent only over TLS, except to loopback.
 * @throws DeliveryError
 */
export async function sendMail(
  { url, from, to, mayBePrivate }: MailTarget,
  { id, message: { title, text }, house, link, isOwn }: SentAlert,
): Promise<void> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  try {
    const { address } = await lookup(name);
    if (!mayBePrivate && !isPublicAddress(address))
      throw new DeliveryError(`${name} is at a private address`, 'private_address');
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
    const { responseCode, code } = error as { readonly responseCode?: number; readonly code?: string };
    if (responseCode === undefined) throw asDeliveryError(error);
    const fault = code === 'EAUTH' ? 'login_refused' : 'refused';
    throw new DeliveryError(`it answered ${responseCode}`, fault, { cause: error });
  }
}

/** Escapes the values; none of them may be a promise. */
const filled = (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
  html(strings, ...values) as HtmlEscapedString;

interface MailPage {
  readonly title: string;
  readonly text: string;
  /** Name of the house. */
  readonly house: string;
  /** Page on which the reader can do something about it. */
  readonly link: string | undefined;
  /** It is sent to the user whose account it is about. */
  readonly isOwn: boolean;
}

/** The HTML of a mail, in the colours of the pages. Mail programs read only inline styles and tables. */
export function mailPage({ title, text, house, link, isOwn }: MailPage): string {
  const font = "font-family:Figtree,-apple-system,'Segoe UI',Roboto,sans-serif";
  const button =
    link === undefined
      ? ''
      : filled`<p style="margin:24px 0 0">
          <a
            href="${link}"
            style="${font};display:inline-block;padding:12px 20px;border-radius:10px;background:#1f6f5e;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none"
            >${isOwn ? 'Open your account' : 'Open your cameras'}</a
          >
        </p>`;
  const hint = isOwn
    ? filled`<p style="margin:24px 0 0;font-size:14px;line-height:1.5;color:#585e57">
        Wasn't this you? Change your password and end what you don't recognize on your account page.
      </p>`
    : '';
  return String(
    filled`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
        </head>
        <body style="margin:0;padding:24px;background:#f6f3ec">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
            <tr>
              <td align="center">
                <table
                  role="presentation"
                  width="100%"
                  cellpadding="0"
                  cellspacing="0"
                  style="max-width:520px;background:#fffdf9;border:1px solid #dfdacd;border-radius:16px"
                >
                  <tr>
                    <td style="${font};padding:32px;color:#1f2421">
                      <p style="margin:0 0 20px;font-size:14px;color:#585e57">${house}</p>
                      <h1 style="margin:0 0 12px;font-size:24px;line-height:1.25">${title}</h1>
                      <p style="margin:0;font-size:16px;line-height:1.5">${text}</p>
                      ${button}
                      ${hint}
                    </td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </body>
      </html>`,
  );
}

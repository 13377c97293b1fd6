/** A contact for help, as people read it. */
export interface Contact {
  readonly text: string;
  /** Absent when it is no address that anyone should follow. */
  readonly href: string | undefined;
}

/** @param contact of the configuration. Whatever is not a `mailto:` or https address is a text, however it looks */
export function readContact(contact: string): Contact {
  if (!/^(?:mailto:|https:\/\/)/i.test(contact)) return { text: contact, href: undefined };
  const text = contact.replace(/^mailto:([^?]*).*$/i, '$1').replace(/^https:\/\//i, '');
  return { text, href: contact };
}

/** Replaces control characters, which terminals obey: texts of an operator's or a recorder's files may have some. */
export function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}

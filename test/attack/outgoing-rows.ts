/** A text that someone else chose, in what leaves the gate: a name, a label, a house. */
export type OutgoingRow = readonly [what: string, text: string];

export const outgoingRows: readonly OutgoingRow[] = [
  ['a header of a mail', 'x\r\nBcc: eve@evil.example'],
  ['the end of the headers', 'x\r\n\r\n<html><a href="https://evil.example">sign in</a></html>'],
  ['line feeds', 'x\nTitle: forged\nPriority: urgent'],
  ['carriage returns', 'x\rTags: skull\r'],
  [
    'the end of a mail, and commands',
    'x\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\n',
  ],
  ['a folded line', 'x\r\n\tAuthorization: Bearer stolen'],
  ['line ends of other programs', 'x\u2028Bcc: eve@evil.example\u2029\u0085\v\f'],
  ['a boundary of MIME', 'x\r\n------=_Part\r\nContent-Type: text/html\r\n\r\n<b>forged</b>'],
  ['an encoded word', '=?utf-8?Q?x=0D=0ABcc:_eve@evil.example?='],
  ['a script', '<script>fetch("https://evil.example")</script>'],
  ['an attribute', '"><img src=x onerror=alert(1)>'],
  ['the end of a comment and of a style', '--></style></title><base href=https://evil.example>'],
  ['a placeholder', '${house} {{text}} %s $& $1 &lt;b&gt;'],
  ['an end of JSON', '","user":"admin"}'],
  ['turned letters', 'x\u202egpj.exe\u2066'],
  ['invisible letters', 'ad\u200bmin\ufeff\u00ad'],
  ['terminal escapes', '\u001b]0;forged\u0007\u001b[2J'],
  ['a NUL', 'x\0y'],
  ['half of a letter', 'x\ud800y'],
  ['64 KiB', 'x'.repeat(65_536)],
  ['64 KiB of a wide letter', '👩‍👩‍👧'.repeat(8_192)],
  ['64 KiB of line ends', '\r\n'.repeat(32_768)],
];

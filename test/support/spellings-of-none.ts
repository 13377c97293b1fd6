/** The word for no access, in several letter cases. */
export const spellingsOfNone = ['none', 'None', 'NONE', 'nOnE'];

/** What looks like that word and is another name, which no role can have. */
export const lookAlikesOfNone = [
  ' none',
  'none ',
  'none\t',
  '\u00a0none',
  'n one',
  'none\u200b',
  'none\u0301',
  'n\u00f6ne',
  'n\u043ene',
  '\uff4e\uff4f\uff4e\uff45',
  '\uff2e\uff2f\uff2e\uff25',
];

/** Of passwords that somebody sets, for themselves or others. */
export const passwords = {
  new: 'New password',
  hint: (length: number) => `At least ${length} characters.`,
  tooShort: (length: number) => `The password needs at least ${length} characters.`,
  differ: 'The two passwords differ.',
  repeat: 'Repeat the password',
  show: 'Show the password',
  endTokensHint: 'Whatever uses them needs new ones. Whoever had the password may have made some.',
  tokensEnded: (count: number) =>
    count === 1 ? 'One API token has ended.' : `${count} API tokens have ended.`,
};

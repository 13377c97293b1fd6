/** Of passwords that users set, for themselves or others. */
export const passwords = {
  new: 'New password',
  hint: (length: number) => `At least ${length} characters.`,
  tooShort: (length: number) => `The password needs at least ${length} characters.`,
  differ: 'The two passwords don’t match.',
  repeat: 'Repeat the password',
  show: 'Show the password',
};

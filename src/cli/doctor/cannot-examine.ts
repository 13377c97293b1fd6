/** The examination cannot be made, which is no finding: exit status 2. */
export class CannotExamine extends Error {
  override readonly name = 'CannotExamine';
}

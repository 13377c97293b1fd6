/** Where a command runs. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Directory of the program. */
  readonly root: string;
}

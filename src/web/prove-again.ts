type Ask = () => Promise<boolean>;

let ask: Ask = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

/** Registers the function that asks the user. */
export function proveBy(next: Ask): void {
  ask = next;
}

/**
 * Asks the user for a fresh proof of identity, which Postern requires for some actions. Several calls wait for one proof.
 * @returns whether the user has given it
 */
export function proveAgain(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

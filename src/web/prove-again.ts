type Ask = () => Promise<boolean>;

let ask: Ask = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

/** Says who asks the person; the page has one who does. */
export function proveBy(next: Ask): void {
  ask = next;
}

/**
 * Lets the person prove once more who they are, since the gate wants that for what they are about to do. Several calls wait for one
 * proof.
 * @returns whether they have
 */
export function proveAgain(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

import { useEffect, useRef } from 'preact/hooks';

/**
 * Repeats some work, one run at a time, and at once when the browser is back online or it was off for longer than that.
 * @param work never rejects
 * @param every milliseconds from the end of one run to the beginning of the next
 */
export function useRepeatedly(work: () => Promise<void>, every: number, isOn: boolean): void {
  const latest = useRef(work);
  latest.current = work;
  const ended = useRef(Date.now());
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnderWay = false;
    let isOver = false;
    const wait = (time: number) => {
      timer = setTimeout(() => void run(), time);
    };
    const run = async () => {
      if (isUnderWay) return;
      isUnderWay = true;
      clearTimeout(timer);
      await latest.current();
      isUnderWay = false;
      ended.current = Date.now();
      if (!isOver) wait(every);
    };
    const runNow = () => void run();
    wait(Math.max(0, ended.current + every - Date.now()));
    addEventListener('online', runNow);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener('online', runNow);
    };
  }, [isOn]);
}

import { type Inputs, useEffect, useMemo, useRef } from 'preact/hooks';
import { Answer } from './answer.js';

/** An answer to another question whenever an input changes. The previous answer stays until the next one arrives. */
export function useAnswer<T>(ask: () => Promise<T>, inputs: Inputs): Answer<T> {
  const previous = useRef<T | null>(null);
  const answer = useMemo(() => new Answer(ask, previous.current), inputs);
  previous.current = answer.value.value;
  return answer;
}

/** The same, asked for at once. */
export function useLoaded<T>(ask: () => Promise<T>, inputs: Inputs): Answer<T> {
  const answer = useAnswer(ask, inputs);
  useEffect(() => void answer.load(), [answer]);
  return answer;
}

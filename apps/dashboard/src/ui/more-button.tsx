import type { ComponentChildren } from 'preact';
import type { PagedAnswer } from '../api/paged-answer.js';
import { Button } from './button.js';

export interface MoreButtonProps {
  readonly list: Pick<PagedAnswer<unknown>, 'more' | 'loading' | 'next'>;
  readonly children: ComponentChildren;
}

/** Reads the next page of a list. The last page has no button. */
export function MoreButton({ list, children }: MoreButtonProps) {
  if (!list.more.value) return null;
  return (
    <div class="actions">
      <Button busy={list.loading.value} onClick={() => void list.next()}>
        {children}
      </Button>
    </div>
  );
}

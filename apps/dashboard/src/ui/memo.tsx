import { Component, type ComponentType, type FunctionComponent } from 'preact';

/** The same component, rendered again only when one of its props changes; for rows of long lists. */
export function memo<P extends object>(Render: FunctionComponent<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const names = Object.keys(next) as (keyof P)[];
      return names.some((name) => next[name] !== this.props[name]);
    }

    override render() {
      return <Render {...(this.props as P)} />;
    }
  };
}

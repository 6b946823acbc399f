import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import { ErrorPanel } from './parts.tsx';

type Props = { children: ReactNode; what: string };

/** Keeps a defect of one part from taking the rest with it. React knows this only as a class. */
export class Boundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <div style={{ padding: 24 }}>
        <ErrorPanel error={this.state.error} what={this.props.what} onRetry={() => this.setState({ error: null })} />
        <Button variant="subtle" mt="sm" onClick={() => location.reload()}>
          {tr('Load the page again')}
        </Button>
      </div>
    );
  }
}

import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { paths } from '../client/paths.ts';
import { useLastWorkspace } from '../client/workspace.ts';
import { tr } from '../language/tr.ts';
import { decodedPart } from '../ui/address.ts';
import { Boundary } from '../ui/boundary.tsx';
import { EmptyState, usePageTitle } from '../ui/parts.tsx';
import { Shell } from './frame.tsx';
import { ALONE, PAGES } from './pages.tsx';

/** The page of the address, in the frame around it. */
export function Router(): ReactNode {
  const [location] = useLocation();
  const remembered = useLastWorkspace((state) => state.ws);
  const inAddress = /^\/w\/([^/]+)/.exec(location)?.[1];
  const ws = inAddress === undefined ? null : decodedPart(inAddress);
  useEffect(() => {
    if (ws !== null) useLastWorkspace.setState({ ws });
  }, [ws]);
  if (location in ALONE) return ALONE[location];
  return (
    <Shell ws={ws ?? (location === paths.settings ? remembered : null)}>
      <Boundary key={location} what={tr('Something went wrong on this page.')}>
        <Switch>
          {PAGES.map(({ path, show }) => (
            <Route path={path} key={path}>
              {show}
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Boundary>
    </Shell>
  );
}

function NotFound(): ReactNode {
  usePageTitle(tr('Not found'));
  return (
    <EmptyState
      icon={<IconMapOff size={22} />}
      title={tr('There is no such page')}
      wholePage
      actions={
        <Button component={Link} href={paths.welcome}>
          {tr('Go to the workspaces')}
        </Button>
      }
    >
      {tr('The address may be old or mistyped. Nothing was changed.')}
    </EmptyState>
  );
}

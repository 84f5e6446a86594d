//! Barriers that never fire, nodes that never run, cycles without a way out. Looks at what leads to what, and
//! at alternatives that exclude each other; never at values.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Lints;
use super::conditions::Dead;
use crate::code::Code;
use crate::pi::definition::{Definition, GroupPlace, NodeKind};
use crate::pi::load::report::{quoted, steps};
use crate::pi::network::{Group, Network};

pub(super) fn lint(lints: &mut Lints<'_>, network: &Network<'_>, dead: &Dead) {
    let mut flow = Flow::of(lints.definition, network, dead);
    flow.exclude(lints);
    let reached = flow.reached();
    barriers(lints, &flow, &reached);
    never_run(lints, network, &reached);
    endless_cycles(lints, &flow, &reached);
}

/// Why a barrier never fires.
enum Never {
    /// A source never runs.
    Source(usize),
    /// Two sources exclude each other.
    Exclusive(usize, usize),
}

struct Flow<'n> {
    network: &'n Network<'n>,
    definition: &'n Definition,
    /// The groups that may lead on.
    live: Vec<&'n Group>,
    /// For each node, the positions in `live` of what leads to it.
    incoming: Vec<Vec<usize>>,
    cycles: Vec<Option<usize>>,
    /// Pairs of sources of barriers that exclude each other, by position in `live`.
    exclusive: BTreeMap<usize, (usize, usize)>,
}

/// The way that is taken out of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Edge,
    Case(usize),
    Default,
    Error,
}

impl Way {
    /// Whether one run of the node takes at most one of the two.
    fn excludes(self, other: Self) -> bool {
        let is_beside = self == Self::Edge || other == Self::Edge;
        let is_error = self == Self::Error || other == Self::Error;
        self != other && (is_error || !is_beside)
    }
}

impl<'n> Flow<'n> {
    fn of(definition: &'n Definition, network: &'n Network<'n>, dead: &Dead) -> Self {
        let is_live = |group: &&Group| match group.place {
            GroupPlace::Case(route, case) => !dead.contains(&(route, case)),
            GroupPlace::Default(route) => {
                let cases = definition
                    .routes
                    .get(route)
                    .map_or(0, |route| route.cases.len());
                !dead.contains(&(route, cases))
            }
            _ => true,
        };
        let live: Vec<&Group> = network.groups.iter().filter(is_live).collect();
        let mut incoming = vec![Vec::new(); definition.nodes.len()];
        for (position, group) in live.iter().enumerate() {
            for target in group.targets.iter().filter_map(|target| *target) {
                if let Some(list) = incoming.get_mut(target)
                    && list.last() != Some(&position)
                {
                    list.push(position);
                }
            }
        }
        Self {
            network,
            definition,
            live,
            incoming,
            cycles: network.cycles(),
            exclusive: BTreeMap::new(),
        }
    }

    /// Finds the barriers whose sources exclude each other.
    fn exclude(&mut self, lints: &mut Lints<'_>) {
        let mut found = BTreeMap::new();
        for (position, group) in self.live.iter().enumerate() {
            if group.sources.len() < 2 {
                continue;
            }
            let mut ways: BTreeMap<usize, (usize, Way)> = BTreeMap::new();
            for &source in &group.sources {
                for (node, way) in self.ways_to(source) {
                    if !lints.may_work(1) {
                        return;
                    }
                    match ways.get(&node) {
                        Some(&(other, taken)) if taken.excludes(way) && self.runs_once(node) => {
                            found.entry(position).or_insert((other, source));
                        }
                        Some(_) => {}
                        None => drop(ways.insert(node, (source, way))),
                    }
                }
            }
        }
        self.exclusive = found;
    }

    /// The ways that have to be taken to come to a node, as far as there is only one way each.
    fn ways_to(&self, node: usize) -> Vec<(usize, Way)> {
        let mut ways = Vec::new();
        let mut at = node;
        while let Some((source, way)) = self.only_way_to(at) {
            // On a cycle the same ways come again.
            if ways.len() > self.incoming.len() {
                break;
            }
            ways.push((source, way));
            at = source;
        }
        ways
    }

    fn only_way_to(&self, node: usize) -> Option<(usize, Way)> {
        let [only] = self.incoming.get(node)?[..] else {
            return None;
        };
        let group = self.live.get(only)?;
        let way = match group.place {
            GroupPlace::Entry => return None,
            GroupPlace::Edge(_) => Way::Edge,
            GroupPlace::Case(_, case) => Way::Case(case),
            GroupPlace::Default(_) => Way::Default,
            GroupPlace::OnError(_) => Way::Error,
        };
        match group.sources[..] {
            [source] => Some((source, way)),
            _ => None,
        }
    }

    /// Whether a node surely runs at most once in a run.
    fn runs_once(&self, node: usize) -> bool {
        let mut at = node;
        // Without cycles, the way back is shorter than there are nodes.
        for _ in 0..=self.incoming.len() {
            if self.cycles.get(at).copied().flatten().is_some() {
                return false;
            }
            match self.only_way_to(at) {
                Some((source, _)) => at = source,
                None => {
                    let groups = self.incoming.get(at).map_or(&[][..], Vec::as_slice);
                    let place =
                        |&position: &usize| self.live.get(position).map(|group| group.place);
                    return groups.len() == 1
                        && groups.iter().filter_map(place).eq([GroupPlace::Entry]);
                }
            }
        }
        false
    }

    /// Which nodes run in some run.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.incoming.len()];
        let mut waiting: Vec<usize> = self.live.iter().map(|group| group.sources.len()).collect();
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); reached.len()];
        let mut open = Vec::new();
        for (position, group) in self.live.iter().enumerate() {
            for &source in &group.sources {
                if let Some(list) = leaving.get_mut(source) {
                    list.push(position);
                }
            }
            if group.place == GroupPlace::Entry {
                open.extend(group.targets.iter().filter_map(|target| *target));
            }
        }
        while let Some(node) = open.pop() {
            match reached.get_mut(node) {
                Some(known) if !*known => *known = true,
                _ => continue,
            }
            for &position in leaving.get(node).into_iter().flatten() {
                let (Some(left), Some(group)) =
                    (waiting.get_mut(position), self.live.get(position))
                else {
                    continue;
                };
                *left = left.saturating_sub(1);
                if *left == 0 && !self.exclusive.contains_key(&position) {
                    open.extend(group.targets.iter().filter_map(|target| *target));
                }
            }
        }
        reached
    }

    fn id(&self, node: usize) -> String {
        quoted(self.definition.nodes.get(node).map_or("", |node| &node.id))
    }
}

fn barriers(lints: &mut Lints<'_>, flow: &Flow<'_>, reached: &[bool]) {
    for (position, group) in flow.live.iter().enumerate() {
        let GroupPlace::Edge(edge) = group.place else {
            continue;
        };
        if group.sources.len() < 2 {
            continue;
        }
        let is_reached = |node: usize| reached.get(node).copied().unwrap_or(false);
        let unreached = group
            .sources
            .iter()
            .copied()
            .find(|source| !is_reached(*source));
        let exclusive = flow.exclusive.get(&position);
        let never = match (exclusive, unreached) {
            (Some(&(one, other)), _) => Never::Exclusive(one, other),
            (None, Some(source)) => Never::Source(source),
            (None, None) => continue,
        };
        let reason = match never {
            Never::Source(source) => format!("{} never runs", flow.id(source)),
            Never::Exclusive(one, other) => {
                format!("{} and {} exclude each other", flow.id(one), flow.id(other))
            }
        };
        lints.add(
            Code::PiBarrierNeverFires,
            steps!["edges", edge, "from"](),
            format!("the edge waits for all its sources and never fires: {reason}"),
            Some("write one edge for each source"),
        );
    }
}

fn never_run(lints: &mut Lints<'_>, network: &Network<'_>, reached: &[bool]) {
    let definition = lints.definition;
    let linked = network.reached();
    for ((node, is_reached), is_linked) in definition.nodes.iter().zip(reached).zip(linked) {
        if is_linked && !is_reached {
            lints.add(
                Code::PiNodeNeverRuns,
                steps!["nodes", node.id.as_str()](),
                "the node never runs: what leads to it never counts".into(),
                None,
            );
        }
    }
}

fn endless_cycles(lints: &mut Lints<'_>, flow: &Flow<'_>, reached: &[bool]) {
    let definition = lints.definition;
    // A person who is asked can stop.
    let is_candidate = |node: usize| {
        flow.cycles.get(node).copied().flatten().is_some()
            && reached.get(node).copied().unwrap_or(false)
            && definition
                .nodes
                .get(node)
                .is_some_and(|node| !matches!(node.kind, NodeKind::Human(_)))
    };
    let mut endless: Vec<bool> = (0..definition.nodes.len()).map(is_candidate).collect();
    let ways = SureWays::of(flow);
    loop {
        let mut has_changed = false;
        for node in 0..endless.len() {
            if endless.get(node) != Some(&true) {
                continue;
            }
            if !lints.may_work(1 + ways.size(node)) {
                return;
            }
            if !ways.lead_on(node, &endless) {
                if let Some(it) = endless.get_mut(node) {
                    *it = false;
                }
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
    }
    let mut cycles: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (node, cycle) in flow.cycles.iter().enumerate() {
        if let (Some(cycle), Some(true)) = (cycle, endless.get(node)) {
            cycles.entry(*cycle).or_default().push(node);
        }
    }
    let mut cycles: Vec<Vec<usize>> = cycles.into_values().collect();
    cycles.sort();
    for nodes in cycles {
        const NAMED: usize = 5;
        let mut names: Vec<String> = nodes
            .iter()
            .take(NAMED)
            .map(|&node| flow.id(node))
            .collect();
        if nodes.len() > NAMED {
            names.push(format!("{} more", nodes.len() - NAMED));
        }
        let first = nodes.first().and_then(|&first| definition.nodes.get(first));
        lints.add(
            Code::PiCycleWithoutExit,
            steps!["nodes", first.map_or("", |node| &node.id)](),
            format!(
                "the cycle of {} has no way out; only `maxSteps` and the budgets stop it",
                names.join(", ")
            ),
            Some("let a route with a condition leave the cycle"),
        );
    }
}

/// Where each node surely leads when it succeeds.
struct SureWays<'n> {
    /// The targets of edges of which the node is the only source.
    edges: Vec<Vec<&'n Group>>,
    /// The alternatives of the route, when one of them is always taken.
    routes: Vec<Vec<&'n Group>>,
}

impl<'n> SureWays<'n> {
    fn of(flow: &Flow<'n>) -> Self {
        let count = flow.definition.nodes.len();
        let mut ways = Self {
            edges: vec![Vec::new(); count],
            routes: vec![Vec::new(); count],
        };
        let mut is_complete = vec![false; count];
        for group in &flow.network.groups {
            let [source] = group.sources[..] else {
                continue;
            };
            let list = match group.place {
                GroupPlace::Edge(_) => ways.edges.get_mut(source),
                GroupPlace::Case(_, _) => ways.routes.get_mut(source),
                GroupPlace::Default(_) => {
                    if let Some(complete) = is_complete.get_mut(source) {
                        *complete = true;
                    }
                    ways.routes.get_mut(source)
                }
                GroupPlace::Entry | GroupPlace::OnError(_) => None,
            };
            if let Some(list) = list {
                list.push(group);
            }
        }
        for (route, is_complete) in ways.routes.iter_mut().zip(is_complete) {
            if !is_complete {
                route.clear();
            }
        }
        ways
    }

    fn size(&self, node: usize) -> usize {
        let groups = self
            .edges
            .get(node)
            .into_iter()
            .chain(self.routes.get(node));
        groups.flatten().map(|group| 1 + group.targets.len()).sum()
    }

    /// Whether the node surely leads to one of these nodes.
    fn lead_on(&self, node: usize, endless: &[bool]) -> bool {
        let leads = |group: &&Group| {
            let mut targets = group.targets.iter().filter_map(|target| *target);
            targets.any(|target| endless.get(target).copied().unwrap_or(false))
        };
        let edges = self.edges.get(node).map_or(&[][..], Vec::as_slice);
        let route = self.routes.get(node).map_or(&[][..], Vec::as_slice);
        edges.iter().any(leads) || !route.is_empty() && route.iter().all(leads)
    }
}

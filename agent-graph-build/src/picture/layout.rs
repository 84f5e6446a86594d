//! Where boxes go and how wires run: layers from top to bottom. The layering is that of dagre, behind this one
//! function; how wires run between its layers is ours. Knows sizes, nothing about what is in the boxes.
//!
//! Wires cross the layer of a box straight down beside it and bend only between layers, so that no wire crosses
//! a box or a label.

use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel};

use super::drawing::Rectangle;
use super::wire::{Station, Wire};

/// An edge for the layout; nodes by index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Room for its label; none when there is none.
    pub(super) label: (f64, f64),
    /// Whether it leads against the order of the layers.
    pub(super) back: bool,
}

/// Boxes and wires in their places, from the upper left corner.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) nodes: Vec<Rectangle>,
    /// Each wire with the box of its label.
    pub(super) wires: Vec<(Wire, Option<Rectangle>)>,
}

/// Lays out boxes of these sizes with these links between them.
pub(super) fn layout(sizes: &[(f64, f64)], links: &[Link]) -> Layout {
    let graph = layered(sizes, links);
    let nodes: Vec<Rectangle> = (0..sizes.len())
        .map(|index| {
            let node = graph.node(&name(index));
            node.map_or(Rectangle::NOWHERE, |it| {
                around(it.x, it.y, it.width, it.height)
            })
        })
        .collect();
    let routes: Vec<Route> = (0..links.len())
        .zip(links)
        .map(|(index, link)| route(&graph, index, link))
        .collect();
    let layers = Layers::of(&nodes, &routes);
    let wires = wires(&nodes, links, &routes, &layers);
    fitted(nodes, wires)
}

impl Rectangle {
    const NOWHERE: Self = Self {
        x: 0.0,
        y: 0.0,
        width: 0.0,
        height: 0.0,
    };
}

fn name(index: usize) -> String {
    index.to_string()
}

fn around(x: Option<f64>, y: Option<f64>, width: f64, height: f64) -> Rectangle {
    Rectangle {
        x: x.unwrap_or(0.0) - width / 2.0,
        y: y.unwrap_or(0.0) - height / 2.0,
        width,
        height,
    }
}

/// The ends of a link in the order of the layers.
fn ends(link: &Link) -> (usize, usize) {
    if link.back {
        (link.to, link.from)
    } else {
        (link.from, link.to)
    }
}

fn layered(sizes: &[(f64, f64)], links: &[Link]) -> Graph<NodeLabel, EdgeLabel> {
    let mut graph = Graph::with_options(GraphOptions {
        directed: true,
        multigraph: true,
        compound: false,
    });
    for (index, &(width, height)) in sizes.iter().enumerate() {
        let node = NodeLabel {
            width,
            height,
            ..NodeLabel::default()
        };
        graph.set_node(name(index), Some(node));
    }
    for (index, link) in links.iter().enumerate() {
        let (from, to) = ends(link);
        let edge = EdgeLabel {
            width: link.label.0,
            height: link.label.1,
            labelpos: LabelPos::Center,
            weight: if link.back { 1 } else { 2 },
            ..EdgeLabel::default()
        };
        graph.set_edge(name(from), name(to), Some(edge), Some(&name(index)));
    }
    let options = LayoutOptions {
        nodesep: 32.0,
        edgesep: 24.0,
        ranksep: 64.0,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    graph
}

/// What the layout says about one edge: the points where it crosses layers, from its source to its target.
struct Route {
    points: Vec<(f64, f64)>,
    label: Option<Rectangle>,
}

fn route(graph: &Graph<NodeLabel, EdgeLabel>, index: usize, link: &Link) -> Route {
    let (from, to) = ends(link);
    let Some(edge) = graph.edge(&name(from), &name(to), Some(&name(index))) else {
        return Route {
            points: Vec::new(),
            label: None,
        };
    };
    let inner = edge.points.len().saturating_sub(2);
    let points = edge.points.iter().skip(1).take(inner);
    let mut points: Vec<(f64, f64)> = points.map(|point| (point.x, point.y)).collect();
    if link.back {
        points.reverse();
    }
    let (width, height) = link.label;
    let label = (height > 0.0).then(|| around(edge.x, edge.y, width, height));
    Route { points, label }
}

/// The layers by the height of their middle, with half of how high they are.
struct Layers(Vec<(f64, f64)>);

impl Layers {
    fn of(nodes: &[Rectangle], routes: &[Route]) -> Self {
        let labels = routes.iter().filter_map(|route| route.label.as_ref());
        let mut halves: Vec<(f64, f64)> = nodes
            .iter()
            .chain(labels)
            .map(|at| (at.middle().1, at.height / 2.0))
            .collect();
        halves.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut layers: Vec<(f64, f64)> = Vec::new();
        for (middle, half) in halves {
            match layers.last_mut() {
                Some(last) if middle - last.0 < 0.5 => last.1 = last.1.max(half),
                _ => layers.push((middle, half)),
            }
        }
        Self(layers)
    }

    /// Half of how high the layer with this middle is.
    fn half(&self, middle: f64) -> f64 {
        let found = self.0.iter().find(|it| (it.0 - middle).abs() < 0.5);
        found.map_or(0.0, |it| it.1)
    }
}

/// Which end of which wire meets a box, on which side.
struct Port {
    wire: usize,
    is_source: bool,
    node: usize,
    below: bool,
    /// Where the wire goes from there, to keep wires apart.
    toward: f64,
}

fn wires(
    nodes: &[Rectangle],
    links: &[Link],
    routes: &[Route],
    layers: &Layers,
) -> Vec<(Wire, Option<Rectangle>)> {
    let middle = |node: usize| nodes.get(node).map_or((0.0, 0.0), Rectangle::middle);
    let mut ports: Vec<Port> = Vec::new();
    for (wire, (link, route)) in links.iter().zip(routes).enumerate() {
        if link.from == link.to {
            continue;
        }
        let first = route.points.first().copied();
        let last = route.points.last().copied();
        for (is_source, node, next) in [
            (true, link.from, first.unwrap_or(middle(link.to))),
            (false, link.to, last.unwrap_or(middle(link.from))),
        ] {
            ports.push(Port {
                wire,
                is_source,
                node,
                below: next.1 > middle(node).1,
                toward: next.0,
            });
        }
    }
    let ends = meeting_points(nodes, &mut ports, links.len());
    links
        .iter()
        .zip(routes)
        .zip(ends)
        .map(|((link, route), (start, end))| {
            let wire = if link.from == link.to {
                looped(nodes.get(link.from), route)
            } else {
                let edge = |node: usize, (x, y): (f64, f64)| {
                    // Short boxes stand beside higher ones; bend only beyond those.
                    let middle = middle(node).1;
                    let half = layers.half(middle);
                    let edge = if y > middle {
                        middle + half
                    } else {
                        middle - half
                    };
                    Station {
                        x,
                        enter: edge,
                        gap: None,
                        leave: edge,
                    }
                };
                let mut stations = stations(route, layers, end.1 > start.1);
                stations.insert(0, edge(link.from, start));
                stations.push(edge(link.to, end));
                let down = end.1 < middle(link.to).1;
                Wire::through(start, stations, end, down)
            };
            (wire, route.label)
        })
        .collect()
}

/// Where each wire starts and ends: spread over the side of the box, in the order in which they go on.
fn meeting_points(
    nodes: &[Rectangle],
    ports: &mut [Port],
    wires: usize,
) -> Vec<((f64, f64), (f64, f64))> {
    ports.sort_by(|one, other| {
        let side = (one.node, one.below).cmp(&(other.node, other.below));
        side.then(one.toward.total_cmp(&other.toward))
            .then((one.wire, one.is_source).cmp(&(other.wire, other.is_source)))
    });
    let mut ends = vec![((0.0, 0.0), (0.0, 0.0)); wires];
    for side in ports.chunk_by(|one, other| (one.node, one.below) == (other.node, other.below)) {
        let count = side.len() as f64;
        for (at, port) in side.iter().enumerate() {
            let node = nodes.get(port.node).unwrap_or(&Rectangle::NOWHERE);
            let step = (node.width * 0.6 / count).min(26.0);
            let x = node.middle().0 + (at as f64 - (count - 1.0) / 2.0) * step;
            let y = if port.below { node.bottom() } else { node.y };
            if let Some(end) = ends.get_mut(port.wire) {
                if port.is_source {
                    end.0 = (x, y);
                } else {
                    end.1 = (x, y);
                }
            }
        }
    }
    ends
}

/// The layers that a wire crosses; it is interrupted where its label stands.
fn stations(route: &Route, layers: &Layers, down: bool) -> Vec<Station> {
    let station = |&(x, middle): &(f64, f64)| {
        let label = route
            .label
            .filter(|at| (at.middle().1 - middle).abs() < 0.5);
        let half = layers.half(middle);
        let (enter, leave) = if down {
            (middle - half, middle + half)
        } else {
            (middle + half, middle - half)
        };
        let gap = label.map(|at| {
            if down {
                (at.y, at.bottom())
            } else {
                (at.bottom(), at.y)
            }
        });
        Station {
            x,
            enter,
            gap,
            leave,
        }
    };
    route.points.iter().map(station).collect()
}

/// From the right side of a box back to it; the label stands beyond.
fn looped(node: Option<&Rectangle>, route: &Route) -> Wire {
    let node = node.copied().unwrap_or(Rectangle::NOWHERE);
    let reach = match &route.label {
        Some(label) => label.x - 4.0,
        None => node.right() + 24.0,
    };
    Wire::Loop {
        x: node.right(),
        y: node.middle().1,
        reach: reach.max(node.right() + 10.0),
    }
}

/// Moved so that everything begins at the upper left corner.
fn fitted(nodes: Vec<Rectangle>, wires: Vec<(Wire, Option<Rectangle>)>) -> Layout {
    let labels = wires.iter().filter_map(|(_, label)| *label);
    let wired = wires.iter().map(|(wire, _)| wire.extent());
    let all: Vec<Rectangle> = nodes.iter().copied().chain(labels).chain(wired).collect();
    let left = all.iter().map(|at| at.x).fold(f64::INFINITY, f64::min);
    let top = all.iter().map(|at| at.y).fold(f64::INFINITY, f64::min);
    let right = all
        .iter()
        .map(Rectangle::right)
        .fold(f64::NEG_INFINITY, f64::max);
    let bottom = all
        .iter()
        .map(Rectangle::bottom)
        .fold(f64::NEG_INFINITY, f64::max);
    if all.is_empty() {
        return Layout {
            width: 0.0,
            height: 0.0,
            nodes,
            wires,
        };
    }
    Layout {
        width: right - left,
        height: bottom - top,
        nodes: nodes.into_iter().map(|at| at.moved(-left, -top)).collect(),
        wires: wires
            .into_iter()
            .map(|(wire, label)| {
                let label = label.map(|at| at.moved(-left, -top));
                (wire.moved(-left, -top), label)
            })
            .collect(),
    }
}

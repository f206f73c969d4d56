//! Control-flow graphs, dominators, loops, weak topological orders and call graphs: small ones as text, random ones
//! against their definitions, large ones for their size.

use ir::callgraph::CallGraph;
use ir::cfg::Cfg;
use ir::dominators::{Dominators, PostDominators};
use ir::loops::{Loops, Shape};
use ir::syntax::{Block, Body, Func, HaltKind, Operand, Target, Terminator};
use ir::wto::Wto;

fn block(index: usize) -> Block {
    Block::from_index(index)
}

/// A body with these edges.
fn body(edges: &[Vec<usize>]) -> Body {
    let mut body = Body::new(&[]);
    for _ in edges {
        body.new_block(&[]);
    }
    for (source, targets) in edges.iter().enumerate() {
        let targets: Vec<Target> = targets.iter().map(|&to| Target::new(block(to))).collect();
        body.blocks[block(source)].terminator = match &targets[..] {
            [] => Terminator::Halt(HaltKind::Exit),
            [only] => Terminator::Jump(only.clone()),
            [yes, no] => Terminator::Branch(Operand::bool(true), yes.clone(), no.clone()),
            [cases @ .., last] => {
                let cases = (0u64..).zip(cases);
                let cases = cases.map(|(n, to)| (base::Bv::from_u64(n, 8), to.clone()));
                Terminator::Switch(Operand::int(0, 8), cases.collect(), last.clone())
            }
        };
    }
    body
}

/// `0>1,2 1>2 2>` as lists of targets.
fn edges(text: &str) -> Vec<Vec<usize>> {
    let lists = text
        .split_whitespace()
        .map(|item| item.split_once('>').expect("an arrow").1);
    let number = |n: &str| n.parse().expect("a number");
    lists
        .map(|list| {
            list.split(',')
                .filter(|n| !n.is_empty())
                .map(number)
                .collect()
        })
        .collect()
}

fn names(blocks: impl IntoIterator<Item = Block>) -> String {
    let names: Vec<String> = blocks.into_iter().map(|block| block.to_string()).collect();
    names.join(" ")
}

fn show_loops(graph: &str) -> String {
    let cfg = Cfg::new(&body(&edges(graph)));
    let loops = Loops::new(&cfg);
    let mut text = String::new();
    for (id, data) in loops.loops.iter() {
        let parent = data
            .parent
            .map(|parent| format!(" in {parent}"))
            .unwrap_or_default();
        let edge = |(from, to)| format!(" {from}>{to}");
        text.push_str(&format!(
            "{id} {:?}{parent} depth {}: {}; latches {}; entries{}; exits{}\n",
            data.shape,
            data.depth,
            names(loops.blocks(id).iter().copied()),
            names(loops.latches(&cfg, id)),
            loops
                .entries(&cfg, id)
                .into_iter()
                .map(edge)
                .collect::<String>(),
            loops
                .exits(&cfg, id)
                .into_iter()
                .map(edge)
                .collect::<String>(),
        ));
    }
    text
}

#[test]
fn reverse_post_order_leaves_out_unreachable_blocks() {
    let cfg = Cfg::new(&body(&edges("0>1,2 1>3 2>3 3> 4>3")));
    assert_eq!(
        names(cfg.reverse_post_order().iter().copied()),
        "b0 b2 b1 b3"
    );
    assert!(!cfg.is_reachable(block(4)));
    assert_eq!(
        names(cfg.predecessors(block(3)).iter().copied()),
        "b1 b2 b4"
    );
    assert_eq!(cfg.retreating_edge(), None);
    let cfg = Cfg::new(&body(&edges("0>1 1>0")));
    assert_eq!(cfg.retreating_edge(), Some((block(1), block(0))));
}

#[test]
fn dominators_of_a_diamond_in_a_loop() {
    let cfg = Cfg::new(&body(&edges("0>1 1>2,3 2>4 3>4 4>1,5 5>")));
    let dominators = Dominators::new(&cfg);
    let immediate = |n| dominators.immediate(block(n)).map(Block::index);
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(immediate),
        [None, Some(0), Some(1), Some(1), Some(1), Some(4)]
    );
    assert_eq!(names(dominators.preorder()), "b0 b1 b2 b3 b4 b5");
    let post = PostDominators::new(&cfg);
    let immediate = |n| post.immediate(block(n)).map(Block::index);
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(immediate),
        [Some(1), Some(4), Some(4), Some(4), Some(5), None]
    );
}

#[test]
fn a_loop_that_nothing_leaves_ends_at_its_last_block() {
    let cfg = Cfg::new(&body(&edges("0>1,3 1>2 2>1 3>")));
    let post = PostDominators::new(&cfg);
    assert!(post.dominates(block(2), block(1)));
    assert!(!post.dominates(block(1), block(0)));
    assert_eq!(post.immediate(block(2)), None);
}

#[test]
fn nested_loops() {
    assert_eq!(
        show_loops("0>1 1>2,6 2>3 3>3,4 4>2,5 5>1 6>"),
        "l0 Natural depth 1: b1 b2 b3 b4 b5; latches b5; entries b0>b1; exits b1>b6\n\
         l1 Natural in l0 depth 2: b2 b3 b4; latches b4; entries b1>b2; exits b4>b5\n\
         l2 Natural in l1 depth 3: b3; latches b3; entries b2>b3; exits b3>b4\n"
    );
}

#[test]
fn a_loop_with_two_entries_is_irreducible() {
    assert_eq!(
        show_loops("0>1,2 1>2 2>1,3 3>"),
        "l0 Irreducible depth 1: b1 b2; latches b2; entries b0>b1 b0>b2; exits b2>b3\n"
    );
}

#[test]
fn a_jump_into_the_inner_loop_of_a_natural_one() {
    assert_eq!(
        show_loops("0>1 1>2,3 2>3 3>2,4 4>1,5 5>"),
        "l0 Natural depth 1: b1 b2 b3 b4; latches b4; entries b0>b1; exits b4>b5\n\
         l1 Irreducible in l0 depth 2: b2 b3; latches b3; entries b1>b2 b1>b3; exits b3>b4\n"
    );
}

#[test]
fn no_loops_in_unreachable_blocks() {
    assert_eq!(show_loops("0> 1>1"), "");
}

#[test]
fn the_order_of_a_text_begins_with_the_first_target() {
    let order = ir::cfg::text_order(&body(&edges("0>1,2 1>3 2>3 3> 4>3")));
    assert_eq!(names(order), "b0 b1 b2 b3");
}

/// A weak topological order in Bourdoncle's notation.
fn show_order(graph: &str) -> String {
    Wto::new(&Cfg::new(&body(&edges(graph)))).to_string()
}

#[test]
fn weak_topological_orders() {
    assert_eq!(show_order(""), "");
    assert_eq!(show_order("0>1,2 1>3 2>3 3> 4>3"), "b0 b2 b1 b3");
    // The example of Bourdoncle's paper.
    assert_eq!(
        show_order("0>1 1>2 2>3 3>4,6 4>5,6 5>4 6>2,7 7>"),
        "b0 b1 (b2 b3 (b4 b5) b6) b7"
    );
    // Nested loops; the exit comes behind all of them.
    assert_eq!(
        show_order("0>1 1>2,6 2>3 3>3,4 4>2,5 5>1 6>"),
        "b0 (b1 (b2 (b3) b4) b5) b6"
    );
    // An edge that leaves two loops at once orders the outer one.
    assert_eq!(
        show_order("0>1 1>2,4 2>3,4 3>2,1 4>5 5>"),
        "b0 (b1 (b2 b3)) b4 b5"
    );
    // Entries in the middle.
    assert_eq!(show_order("0>1,2 1>2 2>1,3 3>"), "b0 (b1 b2) b3");
    assert_eq!(
        show_order("0>1 1>2,3 2>3 3>2,4 4>1,5 5>"),
        "b0 (b1 (b2 b3) b4) b5"
    );
    // Inside a loop too, both sides of a branch come before the join.
    assert_eq!(
        show_order("0>1 1>2,5 2>3,4 3>1 4>3 5>"),
        "b0 (b1 b2 b4 b3) b5"
    );
}

/// A generator of pseudo-random numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

fn random_edges(rng: &mut Rng) -> Vec<Vec<usize>> {
    let count = 1 + rng.below(12);
    let mut targets = || {
        let degree = [0, 1, 1, 2, 2, 2, 3][rng.below(7)];
        (0..degree).map(|_| rng.below(count)).collect()
    };
    (0..count).map(|_| targets()).collect()
}

/// What can be reached from `start` without passing `without`.
fn reach(edges: &[Vec<usize>], start: usize, without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        if Some(node) != without && !std::mem::replace(&mut seen[node], true) {
            work.extend(&edges[node]);
        }
    }
    seen
}

#[test]
fn dominators_are_what_their_definition_says() {
    let mut rng = Rng(1);
    for _ in 0..2000 {
        let edges = random_edges(&mut rng);
        let cfg = Cfg::new(&body(&edges));
        let dominators = Dominators::new(&cfg);
        let reachable = reach(&edges, 0, None);
        for upper in 0..edges.len() {
            let around = reach(&edges, 0, Some(upper));
            for lower in 0..edges.len() {
                let expected = reachable[upper] && reachable[lower] && !around[lower];
                let actual = dominators.dominates(block(upper), block(lower));
                assert_eq!(actual, expected, "b{upper} over b{lower} in {edges:?}");
            }
        }
        for lower in (0..edges.len()).filter(|&node| reachable[node]) {
            let strict =
                |&upper: &usize| upper != lower && dominators.dominates(block(upper), block(lower));
            let count = (0..edges.len()).filter(strict).count();
            let closest = (0..edges.len()).filter(strict).find(|&upper| {
                let above = |&other: &usize| dominators.dominates(block(other), block(upper));
                (0..edges.len()).filter(above).count() == count
            });
            assert_eq!(dominators.immediate(block(lower)), closest.map(block));
        }
    }
}

#[test]
fn post_dominators_are_what_their_definition_says() {
    let mut rng = Rng(2);
    for _ in 0..2000 {
        let edges = random_edges(&mut rng);
        let cfg = Cfg::new(&body(&edges));
        let post = PostDominators::new(&cfg);
        let reachable = reach(&edges, 0, None);
        let nodes = || (0..edges.len()).filter(|&node| reachable[node]);
        // An end: no way leads to a place from which there is no way back, and no block of the
        // same circle comes later in the order.
        let is_end = |node: usize| {
            let from = reach(&edges, node, None);
            nodes().filter(|&other| from[other]).all(|other| {
                let later = cfg.position(block(other)) > cfg.position(block(node));
                reach(&edges, other, None)[node] && !later
            })
        };
        for upper in nodes() {
            for lower in nodes() {
                let around = reach(&edges, lower, Some(upper));
                let expected = !nodes().any(|node| around[node] && is_end(node));
                let actual = post.dominates(block(upper), block(lower));
                assert_eq!(actual, expected, "b{upper} over b{lower} in {edges:?}");
            }
        }
    }
}

#[test]
fn loops_hold_what_they_promise() {
    let mut rng = Rng(3);
    let mut irreducible = 0;
    for _ in 0..4000 {
        let mut edges = random_edges(&mut rng);
        let cfg = Cfg::new(&body(&edges));
        let loops = Loops::new(&cfg);
        let dominators = Dominators::new(&cfg);
        for (id, data) in loops.loops.iter() {
            let blocks = loops.blocks(id);
            assert_eq!(blocks[0], data.header);
            assert!(!loops.latches(&cfg, id).is_empty());
            // Strongly connected inside itself.
            let mut inside = edges.clone();
            for (node, targets) in inside.iter_mut().enumerate() {
                targets
                    .retain(|&to| loops.contains(id, block(to)) && loops.contains(id, block(node)));
            }
            for &member in blocks {
                assert!(reach(&inside, data.header.index(), None)[member.index()]);
                assert!(reach(&inside, member.index(), None)[data.header.index()]);
            }
            let others = |&&(_, to): &&(Block, Block)| to != data.header;
            let elsewhere = loops.entries(&cfg, id).iter().filter(others).count();
            match data.shape {
                Shape::Natural => {
                    assert_eq!(elsewhere, 0, "{edges:?}");
                    assert!(blocks.iter().all(|&b| dominators.dominates(data.header, b)));
                }
                Shape::Irreducible => {
                    irreducible += 1;
                    assert_ne!(elsewhere, 0, "{edges:?}");
                }
            }
            if let Some(parent) = data.parent {
                assert!(parent < id && blocks.iter().all(|&b| loops.contains(parent, b)));
                assert_ne!(loops.loops[parent].header, data.header);
            }
        }
        // Without the edges from each loop to its header, there are no cycles.
        for (source, targets) in edges.iter_mut().enumerate() {
            targets.retain(|&to| {
                let own = loops.with_header(block(to));
                !own.is_some_and(|own| loops.contains(own, block(source)))
            });
        }
        let cut = Cfg::new(&body(&edges));
        assert_eq!(cut.retreating_edge(), None, "{edges:?}");
    }
    assert!(irreducible > 100, "{irreducible}");
}

#[test]
fn weak_topological_orders_hold_what_they_promise() {
    let mut rng = Rng(4);
    for _ in 0..4000 {
        let edges = random_edges(&mut rng);
        let cfg = Cfg::new(&body(&edges));
        let wto = Wto::new(&cfg);
        let order = wto.order();
        assert_eq!(order.len(), cfg.reverse_post_order().len());
        for (place, &block) in order.iter().enumerate() {
            assert_eq!(wto.position(block), Some(place));
            for &target in cfg.successors(block) {
                let backwards = wto.position(target) <= Some(place);
                assert_eq!(wto.is_back_edge(block, target), backwards, "{edges:?}");
                if backwards {
                    let mut around = wto.around(block);
                    let own = around.find(|&own| wto.loops.loops[own].header == target);
                    assert!(own.is_some() && wto.is_head(target), "{edges:?}");
                }
            }
        }
        for component in wto.loops.loops.keys() {
            let range = wto.range(component);
            let mut listed = order[range].to_vec();
            assert_eq!(listed[0], wto.loops.loops[component].header);
            let mut expected = wto.loops.blocks(component).to_vec();
            listed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(listed, expected, "{edges:?}");
        }
        assert_eq!(wto.to_string(), decompose(&edges, &cfg), "{edges:?}");
    }
}

/// Bourdoncle's definition, word for word and slow: what is strongly connected is a component with
/// its first block as head, and what is strongly connected in it without the head is one inside it.
/// The order of siblings is left to the one under test, which has been shown to be topological.
fn decompose(edges: &[Vec<usize>], cfg: &Cfg) -> String {
    enum Job {
        Sort(Vec<usize>),
        Write(String),
    }
    let all = Wto::new(cfg).order().iter().map(|b| b.index()).collect();
    let mut text = Vec::new();
    let mut work = vec![Job::Sort(all)];
    while let Some(job) = work.pop() {
        let nodes = match job {
            Job::Sort(nodes) => nodes,
            Job::Write(word) => {
                text.push(word);
                continue;
            }
        };
        let mut inside = vec![Vec::new(); edges.len()];
        for &node in &nodes {
            let targets = edges[node].iter().copied();
            inside[node] = targets.filter(|to| nodes.contains(to)).collect();
        }
        let mut jobs = Vec::new();
        let mut done: Vec<usize> = Vec::new();
        for &node in &nodes {
            if done.contains(&node) {
                continue;
            }
            let from = reach(&inside, node, None);
            let back = |&other: &usize| from[other] && reach(&inside, other, None)[node];
            let circle: Vec<usize> = nodes.iter().copied().filter(back).collect();
            done.extend(&circle);
            if circle.len() == 1 && !inside[node].contains(&node) {
                jobs.push(Job::Write(block(node).to_string()));
                continue;
            }
            let first = circle.iter().min_by_key(|&&n| cfg.position(block(n)));
            let head = *first.expect("a circle has a block");
            jobs.push(Job::Write(format!("({}", block(head))));
            jobs.push(Job::Sort(
                circle.into_iter().filter(|&n| n != head).collect(),
            ));
            jobs.push(Job::Write(")".to_owned()));
        }
        work.extend(jobs.into_iter().rev());
    }
    text.join(" ").replace(" )", ")")
}

#[test]
fn hundred_thousand_blocks_are_no_burden() {
    let count = 100_000;
    let last = |n: usize| (n + 1).min(count - 1);
    let chain: Vec<Vec<usize>> = (0..count).map(|n| vec![last(n)]).collect();
    // 33,333 loops, each inside the one before.
    let third = count / 3;
    let mut nest: Vec<Vec<usize>> = Vec::new();
    for n in 0..third {
        nest.push(vec![n + 1]);
    }
    for n in third..count {
        let header = (2 * third).saturating_sub(n);
        nest.push(vec![header, last(n)]);
    }
    nest[count - 1].clear();
    // A ladder with crossing rungs, irreducible all over.
    let mut ladder: Vec<Vec<usize>> = (0..count)
        .map(|n| vec![last(n), (n + 2).min(count - 1), n.saturating_sub(1)])
        .collect();
    ladder[count - 1].clear();
    for edges in [chain, nest, ladder] {
        let cfg = Cfg::new(&body(&edges));
        let dominators = Dominators::new(&cfg);
        assert!(dominators.dominates(block(0), block(count - 1)));
        assert_eq!(PostDominators::new(&cfg).immediate(block(count - 1)), None);
        assert_eq!(Wto::new(&cfg).order().len(), count);
        let loops = Loops::new(&cfg);
        let deepest = loops.loops.values().map(|data| data.depth).max();
        assert!(deepest.is_none_or(|depth| depth as usize <= count));
    }
}

#[test]
fn call_graph_components_come_bottom_up() {
    let module = ir::text::read(
        "global @table size 8 align 8 = ptr @b\n\
         fn @main() {\nb0:\n    call @a()\n    call @a()\n    call *null()\n    return\n}\n\
         fn @a() {\nb0:\n    call @c()\n    return\n}\n\
         fn @b() {\nb0:\n    return\n}\n\
         fn @c() {\nb0:\n    call @a()\n    call @ext(@d)\n    return\n}\n\
         fn @d() {\nb0:\n    call @d()\n    return\n}\n\
         fn @ext(ptr)\n",
    )
    .expect("is read");
    let graph = CallGraph::new(&module);
    let name = |func: &Func| module.funcs[*func].name.clone();
    let list = |funcs: &[Func]| funcs.iter().map(name).collect::<Vec<_>>().join(" ");
    let components: Vec<String> = graph.components.iter().map(|c| list(c)).collect();
    assert_eq!(components, ["ext", "a c", "b", "d", "main"]);
    assert_eq!(list(&graph.address_taken), "b d");
    let recursive: Vec<Func> = module
        .funcs
        .keys()
        .filter(|&f| graph.is_recursive(f))
        .collect();
    assert_eq!(list(&recursive), "a c d");
    let main = module.func_named("main").expect("is there");
    assert_eq!(list(&graph.may_call(main)), "a b d");
    assert!(
        graph
            .reachable_from(main)
            .values()
            .filter(|&&reached| reached)
            .count()
            == 6
    );
}

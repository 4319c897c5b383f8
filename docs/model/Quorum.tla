------------------------------- MODULE Quorum -------------------------------
(***************************************************************************)
(* One lock on nodes of which a majority counts (Redlock): votes, replies  *)
(* that are lost, commands that are executed late, nodes that restart      *)
(* without data, and clocks that drift. README.md maps each step to the    *)
(* code.                                                                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Clients,  \* each makes one acquisition
          Nodes,
          Ahead,    \* the node whose clock is ahead,
          Skew,     \* and by how much
          Restarts, \* how many restarts there are
          Losses,   \* how many times a node does not answer
          Extends,  \* how often a hold is renewed
          Draws,    \* whether grants bring tokens
          Ttl,      \* the length of each lease, and of the quarantine: no lease is longer
          Drift,    \* how much earlier than on the clients' clock a lease or a quarantine may end on a node
          Horizon,  \* when the clock stops
          Mistake   \* a mistake that is planted, or "none"

VARIABLES now,      \* the clock of the clients
          node,     \* of each node: owner, end of its lease, fence counter, end of its quarantine
          call,     \* of each client: its acquisition, with what each node has answered
          left,     \* of each client: the nodes where something of it may be left, and that are asked to release it
          restarts, losses,
          seen      \* what no part of the system knows: the highest token of a hold, whether each one exceeded it

vars == <<now, node, call, left, restarts, losses, seen>>

NoOne == "none"
Majority == Cardinality(Nodes) \div 2 + 1
Enough(nodes) == Cardinality(nodes) >= Majority - (IF Mistake = "a minority is enough" THEN 1 ELSE 0)
Max(a, b) == IF a > b THEN a ELSE b
Margin == IF Mistake = "no margin for drift" THEN 0 ELSE Drift
\* Tokens follow the clock of the server (0006); fewer than ten are drawn in a unit of time.
Clock(n) == 10 * (now + CASE n # Ahead -> 0
                          [] Mistake = "a clock is ahead by the quarantine" -> Ttl
                          [] OTHER -> Skew)
NextToken(last, n) == IF Draws THEN Max(last + 1, Clock(n)) ELSE 0

Empty == [owner |-> NoOne, end |-> 0, fence |-> 0, quiet |-> 0]

New == [at |-> "new", begun |-> 0, vote |-> [n \in Nodes |-> "-"], token |-> 0, deadline |-> 0, extends |-> 0]

Init == /\ now = 0
        /\ node = [n \in Nodes |-> Empty]
        /\ call = [c \in Clients |-> New]
        /\ left = [c \in Clients |-> {}]
        /\ restarts = Restarts /\ losses = Losses
        /\ seen = [highest |-> 0, grows |-> TRUE]

Voted(c, votes) == {n \in Nodes : call[c].vote[n] \in votes}
\* Where the claim may have something: granted, or without a definite answer.
MayHold(c) == Voted(c, {"granted", "lost", "late"} \ IF Mistake = "unknown votes are not released" THEN {"lost", "late"} ELSE {})

-----------------------------------------------------------------------------
(* What a node does.                                                       *)

\* quarantine.lua and acquire.lua
Acquired(s, c, n) ==
    IF s.quiet > now + Drift THEN [answer |-> "none", node |-> s]
    ELSE IF s.owner = NoOne
    THEN [answer |-> "granted", node |-> [owner |-> c, end |-> now + Ttl, fence |-> NextToken(s.fence, n), quiet |-> 0]]
    ELSE [answer |-> IF s.owner = c THEN "mine" ELSE "refused", node |-> s]

\* extend.lua with raise_fence.lua, if this owner has the lock
Extended(s, token) == [s EXCEPT !.end = Max(@, now + Ttl), !.fence = Max(@, token)]

Without(s) == [s EXCEPT !.owner = NoOne, !.end = 0]

-----------------------------------------------------------------------------

Request(c) ==
    /\ call[c].at = "new" /\ now + Ttl <= Horizon
    /\ call' = [call EXCEPT ![c].at = "voting", ![c].begun = now]
    /\ UNCHANGED <<now, node, left, restarts, losses, seen>>

\* TwoPhaseAcquire, the first vote at one node. "lost": it was executed, but the reply is lost; "late": it is executed
\* later, or never. Neither is a vote.
Vote(c, n) ==
    /\ call[c].at = "voting" /\ call[c].vote[n] = "-"
    /\ LET r == Acquired(node[n], c, n)
       IN  \/ /\ node' = [node EXCEPT ![n] = r.node]
              /\ call' = [call EXCEPT ![c].vote[n] = r.answer,
                                      ![c].token = IF r.answer = "granted" THEN Max(@, r.node.fence) ELSE @]
              /\ UNCHANGED losses
           \/ /\ losses > 0 /\ losses' = losses - 1
              /\ \E late \in {TRUE, FALSE} :
                    /\ call' = [call EXCEPT ![c].vote[n] = IF late THEN "late" ELSE "lost"]
                    /\ node' = IF late THEN node ELSE [node EXCEPT ![n] = r.node]
    /\ UNCHANGED <<now, left, restarts, seen>>

\* The node executes an acquire although its client has given it up.
VoteLate(c, n) ==
    /\ call[c].vote[n] = "late"
    /\ node' = [node EXCEPT ![n] = Acquired(@, c, n).node]
    /\ call' = [call EXCEPT ![c].vote[n] = IF call[c].at = "done" THEN "-" ELSE "lost"]
    /\ UNCHANGED <<now, left, restarts, losses, seen>>

\* TwoPhaseAcquire: enough votes, and then the second one: a majority of the nodes that have the lock is told the token.
Grant(c) ==
    LET votes == Voted(c, {"granted"} \cup IF Mistake = "an unknown answer is a vote" THEN {"lost", "late"} ELSE {})
        deadline == call[c].begun + Ttl - Margin
    IN  /\ call[c].at = "voting" /\ Enough(votes) /\ now < deadline
        /\ \E told \in SUBSET Nodes :
              /\ IF Mistake \in {"one vote only", "an unknown answer is a vote"} THEN told = {}
                 ELSE Enough(told) /\ \A n \in told : node[n].owner = c
              /\ node' = [n \in Nodes |-> IF n \in told THEN Extended(node[n], call[c].token) ELSE node[n]]
        /\ call' = [call EXCEPT ![c].at = "held", ![c].deadline = deadline]
        /\ seen' = [highest |-> Max(seen.highest, call[c].token),
                    grows |-> seen.grows /\ (Draws => call[c].token > seen.highest)]
        /\ UNCHANGED <<now, left, restarts, losses>>

\* Nothing of an acquisition that has ended counts any more but what may still be executed.
Done(c) == [New EXCEPT !.at = "done", !.vote = [n \in Nodes |-> IF call[c].vote[n] = "late" THEN "late" ELSE "-"]]
Ends(c) == /\ call' = [call EXCEPT ![c] = Done(c)]
           /\ left' = [left EXCEPT ![c] = MayHold(c)]
           /\ UNCHANGED <<now, node, restarts, losses, seen>>

\* Refused by others, or open: too few answers, or too late. The claim is withdrawn where it may have something.
Refuse(c) ==
    /\ call[c].at = "voting"
    /\ \/ now >= call[c].begun + Ttl - Margin
       \/ Voted(c, {"-"}) = {} /\ ~Enough(Voted(c, {"granted"}))
    /\ Ends(c)

Release(c) == call[c].at = "held" /\ now < call[c].deadline /\ Ends(c)

Lose(c) == call[c].at = "held" /\ now >= call[c].deadline /\ Ends(c)

\* QuorumHold.extend, repair: a majority confirms the renewal, and then a node that does not have the lock gets it, too.
Renew(c) == \E answering \in SUBSET Nodes :
    LET yes == {n \in answering : node[n].owner = c}
        no == answering \ yes
    IN  /\ call[c].at = "held" /\ now < call[c].deadline /\ call[c].extends < Extends /\ now + Ttl <= Horizon
        /\ Cardinality(Nodes \ answering) <= losses
        /\ losses' = losses - Cardinality(Nodes \ answering)
        /\ IF Cardinality(yes) >= Majority - (IF Mistake = "a minority renews" THEN 1 ELSE 0)
           THEN /\ node' = [n \in Nodes |->
                              IF n \in yes THEN Extended(node[n], call[c].token)
                              ELSE IF n \in no
                              THEN LET r == Acquired(node[n], c, n)
                                   IN  IF r.answer = "granted" THEN Extended(r.node, call[c].token) ELSE r.node
                              ELSE node[n]]
                /\ call' = [call EXCEPT ![c].deadline = Max(@, now + Ttl - Margin), ![c].extends = @ + 1,
                                        ![c].vote = [n \in Nodes |-> IF n \in no THEN "granted" ELSE @[n]]]
                /\ UNCHANGED left
           ELSE IF Cardinality(no) >= Majority
           THEN /\ call' = [call EXCEPT ![c] = Done(c)] /\ left' = [left EXCEPT ![c] = MayHold(c)]
                /\ UNCHANGED node
           ELSE /\ call' = [call EXCEPT ![c].extends = @ + 1]
                /\ node' = [n \in Nodes |-> IF n \in yes THEN Extended(node[n], call[c].token) ELSE node[n]]
                /\ UNCHANGED left
        /\ UNCHANGED <<now, restarts, seen>>

\* PendingRelease: repeated until nothing of the claim can be executed any more at this node.
CleanUp(c) == \E n \in left[c] :
    /\ node' = [node EXCEPT ![n] = IF @.owner = c THEN Without(@) ELSE @]
    /\ left' = IF call[c].vote[n] = "late" /\ Mistake # "a release is not repeated"
               THEN left ELSE [left EXCEPT ![c] = @ \ {n}]
    /\ UNCHANGED <<now, call, restarts, losses, seen>>

\* A node comes back without its data, and grants nothing for the longest lease (0044). That begins here, which is the
\* worst case: in fact it begins when an acquire first meets the new run of the server.
Forget(n) ==
    /\ restarts > 0 /\ restarts' = restarts - 1
    /\ node' = [node EXCEPT ![n] = [Empty EXCEPT !.quiet = CASE Mistake = "no quarantine" -> 0
                                                       [] Mistake = "the quarantine is too short" -> now + Ttl - 1
                                                       [] OTHER -> now + Ttl]]
    /\ UNCHANGED <<now, call, left, losses, seen>>

\* A lease ends at its time, or a little earlier where the clock of the node runs faster.
Tick ==
    /\ now < Horizon
    /\ \A c \in Clients : /\ call[c].at = "held" => now < call[c].deadline
                          /\ call[c].at = "voting" => now < call[c].begun + Ttl - Margin
    /\ now' = now + 1
    /\ \E fast \in SUBSET {n \in Nodes : node[n].owner # NoOne /\ node[n].end <= now + 1 + Drift} :
          /\ {n \in Nodes : node[n].owner # NoOne /\ node[n].end <= now + 1} \subseteq fast
          /\ node' = [n \in Nodes |-> IF n \in fast THEN Without(node[n]) ELSE node[n]]
    /\ UNCHANGED <<call, left, restarts, losses, seen>>

Next == \/ Tick
        \/ \E c \in Clients : \/ Request(c) \/ Grant(c) \/ Refuse(c) \/ Renew(c) \/ Release(c) \/ Lose(c) \/ CleanUp(c)
                              \/ \E n \in Nodes : Vote(c, n) \/ VoteLate(c, n)
        \/ \E n \in Nodes : Forget(n)

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Clients) \cup Permutations(Nodes \ {Ahead})

-----------------------------------------------------------------------------

Believes(c) == call[c].at = "held" /\ now < call[c].deadline

Exclusion == Cardinality({c \in Clients : Believes(c)}) <= 1

\* A caller that believes has the lock at a majority, but for nodes that have forgotten it.
LossBeforeExpiry == \A c \in Clients :
    Believes(c) => Cardinality({n \in Nodes : node[n].owner = c}) + Restarts - restarts >= Majority

\* A holder's token exceeds that of each hold before.
TokensGrow == seen.grows

\* What a claim that has ended has on a node is being released there.
NoOrphan == \A n \in Nodes : \A c \in Clients : node[n].owner = c /\ call[c].at = "done" => n \in left[c]

=============================================================================

(* Reads problems, one line for each fact, and prints their resolutions, one line for each.

     unit PROVINCE POWER army|fleet hold
     unit PROVINCE POWER army|fleet move DESTINATION [via]
     unit PROVINCE POWER army|fleet support-hold PROVINCE
     unit PROVINCE POWER army|fleet support-move FROM TO
     unit PROVINCE POWER army|fleet convoy FROM TO
     land PROVINCE PROVINCE      an army can go from the first to the second
     sea FLEET PROVINCE          a fleet in the first is next to the second
     enumerate                   ends a problem: try every assignment
     solve                       ends a problem: partial information, then two trials for each core
     adjudicate                  ends a problem: one resolution, by Szykman's rule where there are several or none

   Names are any words.  An answer has a line for each resolution, the provinces whose orders succeed, and then a line with a
   full stop.  Of an adjudication the second line has the contested provinces. *)

open Theory

let numbers : (string, int) Hashtbl.t = Hashtbl.create 97
let names : (int, string) Hashtbl.t = Hashtbl.create 97

let number name =
  match Hashtbl.find_opt numbers name with
  | Some n -> n
  | None ->
    let n = Hashtbl.length numbers in
    Hashtbl.add numbers name n;
    Hashtbl.add names n name;
    n

let units = ref []
let land_borders : (int * int, Stdlib.Unit.t) Hashtbl.t = Hashtbl.create 97
let sea_borders : (int * int, Stdlib.Unit.t) Hashtbl.t = Hashtbl.create 97

let order = function
  | [ "hold" ] -> Hold
  | [ "move"; p ] -> Move (number p, false)
  | [ "move"; p; "via" ] -> Move (number p, true)
  | [ "support-hold"; p ] -> SupportHold (number p)
  | [ "support-move"; p; q ] -> SupportMove (number p, number q)
  | [ "convoy"; p; q ] -> Convoy (number p, number q)
  | words -> failwith ("not an order: " ^ String.concat " " words)

let board () =
  let related table p q = Hashtbl.mem table (p, q) in
  let board = { units = List.rev !units; by_land = related land_borders; by_sea = related sea_borders } in
  if well_formed board then board
  else failwith "two units are in one province, or an army is convoyed to where a fleet is ordered to convoy"

let clear () =
  units := [];
  Hashtbl.reset land_borders;
  Hashtbl.reset sea_borders

let answer resolutions =
  let named ps = String.concat " " (List.map (Hashtbl.find names) ps) in
  List.iter (fun ps -> print_endline (named ps)) resolutions;
  print_endline ".";
  clear ()

let read line =
  match List.filter (( <> ) "") (String.split_on_char ' ' (String.trim line)) with
  | [] -> ()
  | "unit" :: p :: power :: kind :: rest ->
    let is_army = match kind with "army" -> true | "fleet" -> false | _ -> failwith ("neither army nor fleet: " ^ line) in
    units := { place = number p; owner = number power; is_army; ordered = order rest } :: !units
  | [ "land"; p; q ] -> Hashtbl.replace land_borders (number p, number q) ()
  | [ "sea"; p; q ] -> Hashtbl.replace sea_borders (number p, number q) ()
  | [ "enumerate" ] -> answer (resolutions (board ()))
  | [ "solve" ] -> answer (solve (board ()))
  | [ "adjudicate" ] ->
    let successes, contested = adjudicate (board ()) in
    answer [ successes; contested ]
  | _ -> failwith ("cannot read: " ^ line)

let () =
  try
    while true do
      read (input_line stdin)
    done
  with
  | End_of_file -> ()
  | Failure message ->
    prerr_endline message;
    exit 2
